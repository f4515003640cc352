/*
 * For a test alone: tries to make the first process of a sandbox outlive whoever started it. It attaches to process 1, has it call
 * prctl(PR_SET_PDEATHSIG, 0), lets go of it, and then writes a beat to the file it was given, again and again.
 *
 *   test-detach FILE
 */

enum { EINTR = 4 };

#if defined(__x86_64__)
enum { OPENAT = 257, WRITE = 1, PTRACE = 101, WAIT4 = 61, NANOSLEEP = 35, PRCTL = 157 };
static long call(long number, long a, long b, long c, long d, long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
  return result;
}
struct registers {
  unsigned long r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi, orig_rax, rip, cs, eflags, rsp, ss, fs_base, gs_base, ds, es, fs, gs;
};
static void ask(struct registers *r, long number, long a, long b) {
  r->rip -= 2; /* the call it waits in is done again, as another one */
  r->rax = (unsigned long)number;
  r->orig_rax = (unsigned long)-1;
  r->rdi = (unsigned long)a;
  r->rsi = (unsigned long)b;
}
static void interrupt(struct registers *r) {
  r->rax = (unsigned long)-EINTR;
  r->orig_rax = (unsigned long)-1;
}
__asm__(".globl _start\n_start:\n  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call begin\n");
#elif defined(__aarch64__)
enum { OPENAT = 56, WRITE = 64, PTRACE = 117, WAIT4 = 260, NANOSLEEP = 101, PRCTL = 167 };
static long call(long number, long a, long b, long c, long d, long e) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return x0;
}
struct registers { unsigned long x[31], sp, pc, state; };
static void ask(struct registers *r, long number, long a, long b) {
  r->pc -= 4;
  r->x[8] = (unsigned long)number;
  r->x[0] = (unsigned long)a;
  r->x[1] = (unsigned long)b;
}
static void interrupt(struct registers *r) { r->x[0] = (unsigned long)-EINTR; }
__asm__(".globl _start\n_start:\n  mov x0, sp\n  bl begin\n");
#endif

enum { PTRACE_SYSCALL = 24, PTRACE_DETACH = 17, PTRACE_ATTACH = 16, PTRACE_GETREGSET = 0x4204, PTRACE_SETREGSET = 0x4205, NT_PRSTATUS = 1 };
enum { PR_SET_PDEATHSIG = 1, AT_FDCWD = -100, O_WRONLY = 01, O_CREAT = 0100, O_APPEND = 02000, WALL = 0x40000000 };

struct area { void *base; unsigned long length; };

static long trace(long request, long address, long data) { return call(PTRACE, request, 1, address, data, 0); }

static void settle(void) {
  int status;
  call(WAIT4, 1, (long)&status, WALL, 0, 0);
}

static long detach_first(void) {
  struct registers saved, changed; /* asked for twice: copying would need a library */
  struct area area = {&saved, sizeof saved};
  if (trace(PTRACE_ATTACH, 0, 0) < 0) return -1;
  settle();
  if (trace(PTRACE_GETREGSET, NT_PRSTATUS, (long)&area) < 0) return -1;
  area.base = &changed;
  trace(PTRACE_GETREGSET, NT_PRSTATUS, (long)&area);
  ask(&changed, PRCTL, PR_SET_PDEATHSIG, 0);
  if (trace(PTRACE_SETREGSET, NT_PRSTATUS, (long)&area) < 0) return -1;
  for (int stop = 0; stop < 2; stop++) { /* into the call, out of it */
    trace(PTRACE_SYSCALL, 0, 0);
    settle();
  }
  interrupt(&saved); /* what it waited for it waits for again */
  area.base = &saved;
  trace(PTRACE_SETREGSET, NT_PRSTATUS, (long)&area);
  return trace(PTRACE_DETACH, 0, 0);
}

__attribute__((used, noreturn)) void begin(long *stack) {
  char **arguments = (char **)(stack + 1);
  detach_first();
  long file = call(OPENAT, AT_FDCWD, (long)arguments[1], O_WRONLY | O_CREAT | O_APPEND, 0644, 0);
  long pause[2] = {0, 20000000};
  for (;;) {
    call(WRITE, file, (long)"\n", 1, 0, 0);
    call(NANOSLEEP, (long)pause, 0, 0, 0, 0);
  }
}
