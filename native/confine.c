/*
 * Loads a seccomp filter and becomes another program under it.
 *
 *   confine DESCRIPTOR PROGRAM [ARGUMENT...]
 *
 * DESCRIPTOR is open and yields the filter, as the kernel takes it: 8 bytes for each instruction. It is closed then. PROGRAM is a path.
 * There is no C library, so that one file of a few kilobytes runs on every Linux of its architecture.
 *
 * Exit codes: 125 the filter could not be loaded, 126 the program cannot be started.
 */

#if defined(__x86_64__)
enum { READ = 0, WRITE = 1, CLOSE = 3, EXECVE = 59, EXIT = 60, PRCTL = 157 };
static long call(long number, long a, long b, long c, long d, long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
  return result;
}
__asm__(".globl _start\n_start:\n  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call begin\n");
#elif defined(__aarch64__)
enum { READ = 63, WRITE = 64, CLOSE = 57, EXECVE = 221, EXIT = 93, PRCTL = 167 };
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
__asm__(".globl _start\n_start:\n  mov x0, sp\n  bl begin\n");
#else
#error "this architecture has no numbers here yet"
#endif

enum { PR_SET_NO_NEW_PRIVS = 38, PR_SET_SECCOMP = 22, SECCOMP_MODE_FILTER = 2 };
enum { MOST_INSTRUCTIONS = 4096 };

struct instruction {
  unsigned short code;
  unsigned char yes, no;
  unsigned int value;
};

struct program {
  unsigned short length;
  struct instruction *filter;
};

static struct instruction filter[MOST_INSTRUCTIONS];

static unsigned long length_of(const char *text) {
  unsigned long length = 0;
  while (text[length] != 0) length++;
  return length;
}

static void say(const char *text) { call(WRITE, 2, (long)text, (long)length_of(text), 0, 0); }

__attribute__((noreturn)) static void leave(const char *what, const char *why, int code) {
  say(what);
  say(why);
  for (;;) call(EXIT, code, 0, 0, 0, 0);
}

static int number_in(const char *text) {
  int number = 0;
  if (*text == 0) return -1;
  for (; *text != 0; text++) {
    if (*text < '0' || *text > '9' || number > 100000) return -1;
    number = number * 10 + (*text - '0');
  }
  return number;
}

/* Nobody may run without the filter who was to run with it. */
static void load(int descriptor) {
  unsigned long length = 0;
  for (;;) {
    long got = call(READ, descriptor, (long)filter + (long)length, (long)(sizeof filter - length), 0, 0);
    if (got < 0) leave("sandbox: ", "the filter cannot be read\n", 125);
    if (got == 0) break;
    length += (unsigned long)got;
    if (length == sizeof filter) leave("sandbox: ", "the filter is too long\n", 125);
  }
  if (length == 0 || length % sizeof filter[0] != 0) leave("sandbox: ", "the filter is incomplete\n", 125);
  struct program loaded = {(unsigned short)(length / sizeof filter[0]), filter};
  if (call(PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) leave("sandbox: ", "privileges cannot be given up\n", 125);
  if (call(PRCTL, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&loaded, 0, 0) != 0) leave("sandbox: ", "the kernel refused the filter\n", 125);
}

__attribute__((used, noreturn)) void begin(long *stack) {
  long count = stack[0];
  char **arguments = (char **)(stack + 1);
  char **environment = arguments + count + 1;
  int descriptor = count > 2 ? number_in(arguments[1]) : -1;
  if (descriptor < 0) leave("usage: ", "confine DESCRIPTOR PROGRAM [ARGUMENT...]\n", 125);
  load(descriptor);
  call(CLOSE, descriptor, 0, 0, 0, 0);
  call(EXECVE, (long)arguments[2], (long)(arguments + 2), (long)environment, 0, 0);
  leave(arguments[2], ": cannot be started\n", 126);
}
