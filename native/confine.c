/*
 * Builds a sandbox, waits in it, and becomes a command.
 *
 *   confine            the plan is read from descriptor 3
 *   confine STEP…      the plan is the arguments: what is left to do inside a sandbox that bubblewrap built
 *
 * A plan is words, each ended by a NUL. The program does what they say, one after the other, and decides nothing; plans are made and tested
 * in src/sandbox/namespaces.ts. Descriptor 4 yields the seccomp filter as the kernel takes it, 8 bytes for each instruction. On 5 the
 * program says that it is ready and reads its order: the rest of the plan, which names the command. Between the two it may wait for as
 * long as it likes: nothing else is in the sandbox yet. 6, where it is open, lets it into its control group.
 * On 8 it hands out a socket that listens on the loopback of the sandbox, where the plan asks for one, in a message as Node takes it: whoever
 * holds it answers the command from outside, and there is no other way out.
 *
 * Three processes: this one dies with whoever started it and waits; the first process of the new namespaces builds, and stays, because
 * everything in them ends with it; the command is its child. There is no C library, so that one file of a few kilobytes runs on every
 * Linux of its architecture.
 *
 * It says on 5: `r` ready, `s` the command is about to start, `f` the order could not be followed, `e` and a number and a line break: all
 * of it has ended with that exit code. Without an `s` nothing ran.
 * Exit codes: 125 the sandbox could not be built, 126 the program cannot be started, 127 it is not there; else those of the command,
 * 128 and the number of a signal where one ended it.
 */

#if defined(__x86_64__)
enum {
  READ = 0, WRITE = 1, CLOSE = 3, IOCTL = 16, SOCKET = 41, SENDMSG = 46, BIND = 49, LISTEN = 50, CLONE = 56, EXECVE = 59, WAIT4 = 61, CHDIR = 80, GETUID = 102, GETGID = 104,
  SETSID = 112, PIVOT_ROOT = 155, PRCTL = 157, MOUNT = 165, UMOUNT2 = 166, EXIT_GROUP = 231, OPENAT = 257, MKDIRAT = 258, SYMLINKAT = 266,
  PPOLL = 271, UNSHARE = 272, PIPE2 = 293, PRLIMIT64 = 302, CLOSE_RANGE = 436, OPENAT2 = 437
};
static long call(long number, long a, long b, long c, long d, long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
  return result;
}
__asm__(".globl _start\n_start:\n  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call begin\n");
#elif defined(__aarch64__)
enum {
  READ = 63, WRITE = 64, CLOSE = 57, IOCTL = 29, SOCKET = 198, SENDMSG = 211, BIND = 200, LISTEN = 201, CLONE = 220, EXECVE = 221, WAIT4 = 260, CHDIR = 49, GETUID = 174, GETGID = 176,
  SETSID = 157, PIVOT_ROOT = 41, PRCTL = 167, MOUNT = 40, UMOUNT2 = 39, EXIT_GROUP = 94, OPENAT = 56, MKDIRAT = 34, SYMLINKAT = 36,
  PPOLL = 73, UNSHARE = 97, PIPE2 = 59, PRLIMIT64 = 261, CLOSE_RANGE = 436, OPENAT2 = 437
};
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

enum { PR_SET_PDEATHSIG = 1, PR_SET_NO_NEW_PRIVS = 38, PR_SET_SECCOMP = 22, SECCOMP_MODE_FILTER = 2, SIGKILL = 9, SIGCHLD = 17 };
enum { CLONE_NEWUSER = 0x10000000, MNT_DETACH = 2 };
enum { HERE = -100, O_WRONLY = 1, O_CREAT = 0100, O_CLOEXEC = 02000000, O_PATH = 010000000, POLLHUP = 16, RESOLVE_NO_SYMLINKS = 4 };
enum { ENOENT = 2, ENOEXEC = 8, ENOTDIR = 20 };
enum { PLAN = 3, FILTER = 4, ORDER = 5, GROUP = 6, LISTENER = 8 };
enum { MOST_BYTES = 1 << 21, MOST_WORDS = 1 << 14, MOST_INSTRUCTIONS = 4096, LONGEST_PATH = 4096 };

struct instruction {
  unsigned short code;
  unsigned char yes, no;
  unsigned int value;
};

struct program {
  unsigned short length;
  struct instruction *filter;
};

struct limit {
  unsigned long soft, hard;
};

static char plan[MOST_BYTES];
static char *environment[MOST_WORDS], *arguments[MOST_WORDS];
static struct instruction filter[MOST_INSTRUCTIONS];
static unsigned long variables;
static int waited, held;

static void follow_plan(char **words, unsigned long count);

static unsigned long length_of(const char *text) {
  unsigned long length = 0;
  while (text[length] != 0) length++;
  return length;
}

static int same(const char *one, const char *other) {
  while (*one != 0 && *one == *other) one++, other++;
  return *one == *other;
}

/* Appends to a text that has room for it. */
static char *append(char *end, const char *text) {
  while (*text != 0) *end++ = *text++;
  *end = 0;
  return end;
}

static char *append_number(char *end, unsigned long number) {
  char digits[24];
  int at = 23;
  digits[at] = 0;
  do digits[--at] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  return append(end, digits + at);
}

static unsigned long number_in(const char *text) {
  unsigned long number = 0;
  for (; *text >= '0' && *text <= '9'; text++) number = number * 10 + (unsigned long)(*text - '0');
  return number;
}

static void say(const char *text) { call(WRITE, 2, (long)text, (long)length_of(text), 0, 0); }

__attribute__((noreturn)) static void leave(int code) {
  for (;;) call(EXIT_GROUP, code, 0, 0, 0, 0);
}

__attribute__((noreturn)) static void fail(const char *what, const char *where, long error) {
  char number[32];
  append_number(number, (unsigned long)-error);
  say("sandbox: it could not be built: ");
  say(what);
  say(" ");
  say(where);
  if (error < 0) say(": error "), say(number);
  say("\n");
  if (waited) call(WRITE, ORDER, (long)"f", 1, 0, 0);
  leave(125);
}

static void must(const char *what, const char *where, long result) {
  if (result < 0) fail(what, where, result);
}

static unsigned long read_all(int descriptor, char *into, unsigned long most, const char *what) {
  unsigned long length = 0;
  for (;;) {
    long got = call(READ, descriptor, (long)into + (long)length, (long)(most - length), 0, 0);
    must("read", what, got);
    if (got == 0) return length;
    length += (unsigned long)got;
    if (length == most) fail(what, "is too long", 0);
  }
}

static long write_text(const char *path, const char *text) {
  long file = call(OPENAT, HERE, (long)path, O_WRONLY | O_CLOEXEC, 0, 0);
  if (file < 0) return file;
  long wrote = call(WRITE, file, (long)text, (long)length_of(text), 0, 0);
  call(CLOSE, file, 0, 0, 0, 0);
  return wrote;
}

/* One identity inside stands for one outside. */
static void map_ids(const char *own_uid, unsigned long outer_uid, const char *own_gid, unsigned long outer_gid) {
  char line[64];
  must("write", "setgroups", write_text("/proc/self/setgroups", "deny"));
  append(append_number(append(append(line, own_uid), " "), outer_uid), " 1");
  must("write", "uid_map", write_text("/proc/self/uid_map", line));
  append(append_number(append(append(line, own_gid), " "), outer_gid), " 1");
  must("write", "gid_map", write_text("/proc/self/gid_map", line));
}

/* Whether something is at a path, readable or not. */
static int exists(const char *path) {
  long file = call(OPENAT, HERE, (long)path, O_PATH | O_CLOEXEC, 0, 0);
  if (file < 0) return 0;
  call(CLOSE, file, 0, 0, 0, 0);
  return 1;
}

static void make_folder(char *path) {
  if (exists(path)) return;
  for (char *at = path + 1;; at++) {
    if (*at != '/' && *at != 0) continue;
    char kept = *at;
    *at = 0;
    if (!exists(path)) must("mkdir", path, call(MKDIRAT, HERE, (long)path, 0755, 0, 0));
    *at = kept;
    if (kept == 0) return;
  }
}

static void make_file(const char *path) {
  if (exists(path)) return;
  long file = call(OPENAT, HERE, (long)path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644, 0);
  must("create", path, file);
  call(CLOSE, file, 0, 0, 0, 0);
}

/* Opens a place without following a link anywhere on the way to it, and names it by its descriptor. */
static long hold(const char *path, char *name) {
  struct { unsigned long flags, mode, resolve; } how = {O_PATH | O_CLOEXEC, 0, RESOLVE_NO_SYMLINKS};
  long file = call(OPENAT2, HERE, (long)path, (long)&how, sizeof how, 0);
  must("open", path, file);
  append_number(append(name, "/proc/self/fd/"), (unsigned long)file);
  return file;
}

/* Another command may put a link in the place of a folder of its workspace at any moment: what is held before it is mounted leads nowhere
 * else, or the sandbox is not built. */
static void mount_at(const char *what, const char *from, const char *target, const char *type, long flags, const char *options) {
  char source[32], place[32];
  int is_path = from[0] == '/';
  long first = held && is_path ? hold(from, source) : -1, second = held ? hold(target, place) : -1;
  must(what, target, call(MOUNT, (long)(first < 0 ? from : source), (long)(second < 0 ? target : place), (long)type, flags, (long)options));
  if (first >= 0) call(CLOSE, first, 0, 0, 0, 0);
  if (second >= 0) call(CLOSE, second, 0, 0, 0, 0);
  held = 0;
}

static void raise_loopback(void) {
  struct { char name[16]; short flags; char rest[22]; } request = {"lo", 0x41, ""}; /* up and running */
  long socket = call(SOCKET, 2, 2 | O_CLOEXEC, 0, 0, 0);
  if (socket < 0) return;
  call(IOCTL, socket, 0x8914, (long)&request, 0, 0);
  call(CLOSE, socket, 0, 0, 0, 0);
}

/* Listens on this loopback and hands the socket out. Nothing of it stays here: when whoever got it goes, nobody listens. */
static void hand_out_listener(const char *port) {
  unsigned long number = number_in(port);
  struct { unsigned short family, port; unsigned int address; char rest[8]; } place = {2, 0, 0x0100007f, ""};
  place.port = (unsigned short)((number >> 8 & 0xff) | (number & 0xff) << 8);
  long socket = call(SOCKET, 2, 1 | O_CLOEXEC, 0, 0, 0);
  must("socket", "", socket);
  must("bind", port, call(BIND, socket, (long)&place, sizeof place, 0, 0));
  must("listen", port, call(LISTEN, socket, 512, 0, 0, 0));
  static char text[] = "{\"cmd\":\"NODE_HANDLE\",\"type\":\"net.Server\",\"msg\":\"listener\"}\n";
  struct { char *base; unsigned long length; } part = {text, sizeof text - 1};
  struct { unsigned long length; int level, type, descriptor, padding; } rights = {20, 1, 1, (int)socket, 0};
  struct { void *name; unsigned int name_length; void *parts; unsigned long count; void *control; unsigned long control_length; int flags; }
      message = {0, 0, &part, 1, &rights, sizeof rights, 0};
  if (call(SENDMSG, LISTENER, (long)&message, 0, 0, 0) != (long)(sizeof text - 1)) fail("hand out", "a listener", 0);
  call(CLOSE, socket, 0, 0, 0, 0);
  call(CLOSE, LISTENER, 0, 0, 0, 0);
}

static int status_code(int status) { return (status & 0x7f) == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f); }

/* Waits for one child, and takes away whatever else has ended meanwhile. */
static int await(long child) {
  int status = 0;
  for (;;) {
    long ended = call(WAIT4, -1, (long)&status, 0, 0, 0);
    if (ended == child) return status_code(status);
    if (ended < 0 && ended != -4) return 125;
  }
}

/* With its first process everything in the namespaces has ended. Taking the mounts down takes longer than most commands, and nobody needs
 * to wait for that. */
__attribute__((noreturn)) static void tell_end(int code) {
  char text[32];
  char *end = append(append_number(append(text, "e"), (unsigned long)code), "\n");
  call(WRITE, ORDER, (long)text, end - text, 0, 0);
  for (int descriptor = 0; descriptor < PLAN; descriptor++) call(CLOSE, descriptor, 0, 0, 0, 0);
  leave(code);
}

/* Leaves the namespaces of the caller. The new first process dies with this one, and this one with whoever started it. */
static void separate(long namespaces) {
  int alive[2];
  unsigned long own_uid = (unsigned long)call(GETUID, 0, 0, 0, 0, 0), own_gid = (unsigned long)call(GETGID, 0, 0, 0, 0, 0);
  must("prctl", "pdeathsig", call(PRCTL, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
  must("unshare", "namespaces", call(UNSHARE, namespaces, 0, 0, 0, 0));
  map_ids("0", own_uid, "0", own_gid);
  must("pipe", "", call(PIPE2, (long)alive, O_CLOEXEC, 0, 0, 0));
  long child = call(CLONE, SIGCHLD, 0, 0, 0, 0);
  must("fork", "", child);
  if (child > 0) {
    for (int descriptor = PLAN; descriptor <= GROUP; descriptor++) if (descriptor != ORDER) call(CLOSE, descriptor, 0, 0, 0, 0);
    call(CLOSE, alive[0], 0, 0, 0, 0);
    if (alive[1] != LISTENER) call(CLOSE, LISTENER, 0, 0, 0, 0); /* where it was not open, the pipe may have its number */
    tell_end(await(child));
  }
  call(CLOSE, alive[1], 0, 0, 0, 0);
  must("prctl", "pdeathsig", call(PRCTL, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
  /* Had the parent died before that, nobody would end this process. */
  struct { int descriptor; short wanted, found; } watched = {alive[0], 0, 0};
  struct { long seconds, nanoseconds; } no_time = {0, 0};
  call(PPOLL, (long)&watched, 1, (long)&no_time, 0, 8);
  if ((watched.found & POLLHUP) != 0) leave(125);
  call(CLOSE, alive[0], 0, 0, 0, 0);
}

/* Nobody may run without the filter who was to run with it. */
static void load_filter(void) {
  unsigned long length = read_all(FILTER, (char *)filter, sizeof filter, "the filter");
  if (length == 0 || length % sizeof filter[0] != 0) fail("the filter", "is incomplete", 0);
  struct program loaded = {(unsigned short)(length / sizeof filter[0]), filter};
  must("prctl", "no_new_privs", call(PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  must("prctl", "seccomp", call(PRCTL, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&loaded, 0, 0));
}

/* As a shell does it: a file without a first line that names its interpreter is one for the shell. */
static long try_program(const char *path) {
  long error = call(EXECVE, (long)path, (long)arguments, (long)environment, 0, 0);
  if (error != -ENOEXEC) return error;
  static char *as_script[MOST_WORDS + 2];
  as_script[0] = "sh";
  as_script[1] = (char *)path;
  for (int at = 1; arguments[at] != 0; at++) as_script[at + 1] = arguments[at];
  return call(EXECVE, (long)"/bin/sh", (long)as_script, (long)environment, 0, 0);
}

static const char *search_path(void) {
  for (unsigned long at = 0; at < variables; at++) {
    const char *is = environment[at];
    if (is[0] == 'P' && is[1] == 'A' && is[2] == 'T' && is[3] == 'H' && is[4] == '=') return is + 5;
  }
  return "/usr/bin:/bin";
}

__attribute__((noreturn)) static void become(void) {
  const char *name = arguments[0];
  long error = -ENOENT;
  int has_slash = 0;
  for (const char *at = name; *at != 0; at++) has_slash |= *at == '/';
  if (has_slash) error = try_program(name);
  else
    for (const char *folder = search_path(); *name != 0 && *folder != 0;) {
      char path[LONGEST_PATH];
      unsigned long length = 0;
      while (folder[length] != 0 && folder[length] != ':') length++;
      if (length > 0 && length + length_of(name) + 2 < sizeof path) {
        for (unsigned long at = 0; at < length; at++) path[at] = folder[at];
        append(append(path + length, "/"), name);
        long tried = try_program(path);
        if (tried != -ENOENT && tried != -ENOTDIR) error = tried;
      }
      folder += folder[length] == ':' ? length + 1 : length;
    }
  say(name);
  say(error == -ENOENT ? ": not found\n" : ": cannot be started\n");
  leave(error == -ENOENT ? 127 : 126);
}

/* What comes after it in the plan is done by the command: without rights over the namespace that owns the mounts, so that nothing can be
 * unmounted or remounted. */
static void begin_command(const char *uid, const char *gid) {
  long child = call(CLONE, SIGCHLD, 0, 0, 0, 0);
  must("fork", "", child);
  if (child > 0) {
    for (int descriptor = PLAN; descriptor <= LISTENER; descriptor++) call(CLOSE, descriptor, 0, 0, 0, 0);
    leave(await(child));
  }
  call(SETSID, 0, 0, 0, 0, 0);
  must("unshare", "user", call(UNSHARE, CLONE_NEWUSER, 0, 0, 0, 0));
  map_ids(uid, 0, gid, 0);
}

/* Enters the control group, where there is one, and goes first where memory runs out. */
static void enter_group(void) {
  call(WRITE, GROUP, (long)"0\n", 2, 0, 0);
  write_text("/proc/self/oom_score_adj", "1000");
}

static void limit(long resource, unsigned long most) {
  struct limit at = {most, most};
  must("limit", "", call(PRLIMIT64, 0, resource, (long)&at, 0, 0));
}

/* The words that a descriptor yields until its end, in the place of those of the plan. */
static unsigned long read_words(int descriptor, char **words, const char *what) {
  unsigned long count = 0, length = read_all(descriptor, plan, sizeof plan, what), at = 0;
  if (length == 0) leave(125); /* whoever was to say what to do is gone, or has no need of this sandbox */
  if (plan[length - 1] != 0) fail(what, "is incomplete", 0);
  while (at < length) {
    if (count == MOST_WORDS - 2) fail(what, "is too long", 0);
    words[count++] = plan + at;
    at += length_of(plan + at) + 1;
  }
  return count;
}

static void await_order(void) {
  static char *words[MOST_WORDS];
  if (call(WRITE, ORDER, (long)"r", 1, 0, 0) != 1) leave(125);
  waited = 1;
  follow_plan(words, read_words(ORDER, words, "the order"));
}

/* The number of words is told, so that an order that was cut off runs nothing. */
__attribute__((noreturn)) static void run(char **words, unsigned long left, unsigned long count) {
  if (count == 0 || count != left) fail("the order", "is incomplete", 0);
  for (unsigned long at = 0; at < count; at++) arguments[at] = words[at];
  arguments[count] = 0;
  environment[variables] = 0;
  if (call(WRITE, ORDER, (long)"s", 1, 0, 0) != 1) leave(125);
  must("close", "", call(CLOSE_RANGE, PLAN, 0xffffffffL, 0, 0, 0));
  become();
}

/* Does one step of the plan, and says how many words it took. */
static unsigned long follow(char **words, unsigned long left) {
  const char *step = words[0];
  char *a = left > 1 ? words[1] : "", *b = left > 2 ? words[2] : "", *c = left > 3 ? words[3] : "", *d = left > 4 ? words[4] : "";
  if (same(step, "separate")) return separate((long)number_in(a)), 2;
  if (same(step, "mount")) return mount_at("mount", a, b, a, (long)number_in(c), d), 5;
  if (same(step, "bind")) return mount_at("bind", a, b, 0, (long)number_in(c), 0), 4;
  if (same(step, "held")) return held = 1, 1;
  if (same(step, "folder")) return make_folder(a), 2;
  if (same(step, "file")) return make_file(a), 2;
  if (same(step, "link")) return must("link", b, call(SYMLINKAT, (long)a, HERE, (long)b, 0, 0)), 3;
  if (same(step, "write")) return must("write", a, write_text(a, b)), 3;
  if (same(step, "enter")) return must("enter", a, call(CHDIR, (long)a, 0, 0, 0, 0)), 2;
  if (same(step, "root")) {
    must("enter", a, call(CHDIR, (long)a, 0, 0, 0, 0));
    must("pivot", a, call(PIVOT_ROOT, (long)".", (long)".", 0, 0, 0));
    must("unmount", "the old root", call(UMOUNT2, (long)".", MNT_DETACH, 0, 0, 0));
    return must("enter", "/", call(CHDIR, (long)"/", 0, 0, 0, 0)), 2;
  }
  if (same(step, "loopback")) return raise_loopback(), 1;
  if (same(step, "listen")) return hand_out_listener(a), 2;
  if (same(step, "command")) return begin_command(a, b), 3;
  if (same(step, "filter")) return load_filter(), 1;
  if (same(step, "group")) return enter_group(), 1;
  if (same(step, "limit")) return limit((long)number_in(a), number_in(b)), 3;
  if (same(step, "order")) return await_order(), 1;
  if (same(step, "set")) return environment[variables++] = a, 2;
  if (same(step, "run")) run(words + 2, left < 2 ? 0 : left - 2, number_in(a));
  fail("the plan", step, 0);
}

static void follow_plan(char **words, unsigned long count) {
  for (unsigned long done = 0; done < count;) done += follow(words + done, count - done);
  fail("the plan", "runs nothing", 0);
}

__attribute__((used, noreturn)) void begin(long *stack) {
  static char *words[MOST_WORDS];
  unsigned long given = (unsigned long)stack[0];
  if (given > 1) follow_plan((char **)(stack + 2), given - 1);
  else follow_plan(words, read_words(PLAN, words, "the plan"));
  leave(125);
}
