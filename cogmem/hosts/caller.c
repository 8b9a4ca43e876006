/* What a host runs for every event where a compiler was at hand when cogmem was installed:
 *
 *     caller 9 python -X utf8 -I -S …/cogmem/hook.py prompt --host claude-code --db …/memory.db --resident
 *
 * It gives the event to the process that has the memory open already, and passes its answer on. Where
 * nobody answers in time, or dies over it, the words are run as they stand: the event is answered
 * then as it would be without this program. It keeps nothing and knows nothing of memory. caller.py says
 * the same in Python, and what the two say to each other.
 *
 * However that ends, this program ends with 0, within so many seconds: to many hosts any other number,
 * or silence for too long, means that the prompt or the tool is refused. With cogmem gone, half
 * replaced or broken the host goes on without memory, and hook.log beside the memory has a line. */
#define _XOPEN_SOURCE 700
#ifdef __APPLE__
#define _DARWIN_C_SOURCE
#endif
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

extern char **environ;

#define LIMIT (32u << 20) /* bytes of an event, as hooks.py has it */
#define TO_BEGIN_MS 150   /* a resident that is busy for longer is not waited for */
#define LOG_LIMIT (256 << 10) /* bytes of the log, as faults.py has it */

struct bytes {
  char *data;
  size_t size, room;
};

static int add(struct bytes *it, const void *data, size_t size) {
  if (it->size + size > it->room) {
    size_t room = (it->size + size) * 2 + 4096;
    char *more = realloc(it->data, room);
    if (!more) return 0;
    it->data = more;
    it->room = room;
  }
  if (size) memcpy(it->data + it->size, data, size);
  it->size += size;
  return 1;
}

static int all_of(int from, struct bytes *it, size_t limit) {
  char piece[65536];
  ssize_t got;
  while ((got = read(from, piece, sizeof piece)) > 0)
    if (!add(it, piece, (size_t)got) || it->size > limit) return 0;
  return got == 0;
}

static int put(int to, const char *data, size_t size) {
  while (size) {
    ssize_t went = write(to, data, size);
    if (went <= 0) return 0;
    data += went;
    size -= (size_t)went;
  }
  return 1;
}

static void patience(int socket, int option, long ms) {
  struct timeval time = {ms / 1000, (ms % 1000) * 1000};
  setsockopt(socket, SOL_SOCKET, option, &time, sizeof time);
}

/* Where the resident of a file listens: a folder of this user alone, and a number made of the file's path. */
static int reach(const char *file) {
  char real[PATH_MAX], folder[PATH_MAX];
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  struct stat found;
  const char *base = getenv("XDG_RUNTIME_DIR");
  if (!base || *base != '/') base = getenv("TMPDIR");
  if (!base || *base != '/') base = "/tmp";
  if (!realpath(file, real)) return -1;
  uint64_t number = 14695981039346656037u;
  for (const unsigned char *sign = (const unsigned char *)real; *sign; sign++)
    number = (number ^ *sign) * 1099511628211u;
  if (snprintf(folder, sizeof folder, "%s/cogmem-%lu", base, (unsigned long)geteuid()) >= (int)sizeof folder)
    return -1;
  if (lstat(folder, &found) || !S_ISDIR(found.st_mode) || found.st_uid != geteuid() || found.st_mode & 077)
    return -1; /* somebody else may be listening there */
  int length = snprintf(at.sun_path, sizeof at.sun_path, "%s/%016llx", folder, (unsigned long long)number);
  if (length >= (int)sizeof at.sun_path) return -1;
  int line = socket(AF_UNIX, SOCK_STREAM, 0);
  if (line < 0) return -1;
  fcntl(line, F_SETFD, FD_CLOEXEC);
  patience(line, SO_SNDTIMEO, TO_BEGIN_MS);
  patience(line, SO_RCVTIMEO, TO_BEGIN_MS);
  if (connect(line, (struct sockaddr *)&at, sizeof at) == 0) return line;
  close(line);
  return -1;
}

static int tells(const char *variable) {
  static const char *const names[] = {"COGMEM_", "HOME=", "TZ=", "XDG_DATA_HOME=", "XDG_STATE_HOME=",
                                      "XDG_CONFIG_HOME="};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (!strncmp(variable, names[n], strlen(names[n]))) return 1;
  return 0;
}

/* The words, the part of the environment that an answer depends on, and the event. */
static int request(struct bytes *it, int count, char **words, const struct bytes *event) {
  char head[64];
  int told = 0, good = 1;
  for (char **one = environ; *one; one++) told += tells(*one);
  int length = snprintf(head, sizeof head, "cogmem-1 %d %d\n", count, told);
  good = add(it, head, (size_t)length);
  for (int n = 0; n < count; n++) good = good && add(it, words[n], strlen(words[n]) + 1);
  for (char **one = environ; *one; one++)
    if (tells(*one)) good = good && add(it, *one, strlen(*one) + 1);
  return good && add(it, event->data, event->size);
}

/* The answer, whole; 0 where the words are to be run. */
static int ask(int line, long ms, int count, char **words, const struct bytes *event, struct bytes *answer) {
  struct bytes asked = {0};
  char begun, size[9] = {0}, *end;
  if (read(line, &begun, 1) != 1 || begun != 'A') return 0;
  patience(line, SO_SNDTIMEO, ms);
  patience(line, SO_RCVTIMEO, ms);
  if (!request(&asked, count, words, event) || !put(line, asked.data, asked.size)) return 0;
  shutdown(line, SHUT_WR);
  if (!all_of(line, answer, 2 * (size_t)LIMIT) || answer->size < 8) return 0;
  memcpy(size, answer->data, 8);
  unsigned long told = strtoul(size, &end, 16);
  return end == size + 8 && answer->size == told + 8;
}

/* A name for this turn: whoever answers it in the end gives the same answer as who began with it. */
static void name(char *turn, size_t size) {
  unsigned char random[8] = {0};
  int from = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (from >= 0) {
    if (read(from, random, sizeof random) != sizeof random) random[0] = (unsigned char)getpid();
    close(from);
  }
  int at = snprintf(turn, size, "turn_");
  for (size_t n = 0; n < sizeof random; n++) at += snprintf(turn + at, size - (size_t)at, "%02x", random[n]);
}

/* A line in the log of hooks, where there is room for one. */
static void note(const char *file, const char *what, int number) {
  char path[PATH_MAX], text[256], stamp[32];
  struct stat found;
  time_t now = time(NULL);
  const char *folder = file ? strrchr(file, '/') : NULL;
  if (!folder || snprintf(path, sizeof path, "%.*s/hook.log", (int)(folder - file), file) >= (int)sizeof path) return;
  int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (log < 0) return;
  strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  int length = snprintf(text, sizeof text, "%s caller %s %d\n", stamp, what, number);
  if (!fstat(log, &found) && found.st_size < LOG_LIMIT) put(log, text, (size_t)length);
  close(log);
}

static volatile pid_t running = 0;
static const char *memory = NULL;

/* The time is up, or the host has lost its patience. */
static void leave(int number) {
  if (running > 0) kill(running, SIGKILL);
  note(memory, "the hook was ended by signal", number);
  _exit(0);
}

/* Run the words, wait for them, and say nothing of how they ended but in the log. */
static int run(char **words) {
  int status = 0;
  running = fork();
  if (running == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, 2);
    alarm(0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    execv(words[0], words);
    _exit(127);
  }
  while (running > 0 && waitpid(running, &status, 0) < 0)
    ;
  running = 0;
  if (WIFSIGNALED(status)) note(memory, "the hook was ended by signal", WTERMSIG(status));
  else if (status) note(memory, "cogmem is not there or broken (install it again): exit code", WEXITSTATUS(status));
  return 0;
}

int main(int count, char **given) {
  struct bytes event = {0}, answer = {0};
  char turn[32], **words = calloc((size_t)count + 3, sizeof *words);
  long seconds = count > 1 ? strtol(given[1], NULL, 10) : 0;
  if (count < 3 || !words || seconds < 1) return 0;
  if (getenv("COGMEM_ASKING")) return 0; /* cogmem itself asks this agent something: models/program.py */
  signal(SIGPIPE, SIG_IGN); /* who is asked may die over it */
  signal(SIGALRM, leave);
  signal(SIGTERM, leave);
  alarm((unsigned)seconds);
  count -= 2;
  memcpy(words, given + 2, (size_t)count * sizeof *words);
  for (int n = 0; n + 1 < count; n++)
    if (!strcmp(words[n], "--db")) memory = words[n + 1];
  int line = memory ? reach(memory) : -1;
  if (line < 0) return run(words); /* nothing was read yet */
  name(turn, sizeof turn);
  words[count++] = "--turn";
  words[count++] = turn;
  if (!all_of(0, &event, LIMIT)) return 0; /* no event is that large */
  if (ask(line, seconds * 600, count, words, &event, &answer)) {
    put(1, answer.data + 8, answer.size - 8);
    return 0;
  }
  close(line);
  FILE *again = tmpfile();
  if (!again || !put(fileno(again), event.data, event.size)) return 0;
  lseek(fileno(again), 0, SEEK_SET);
  dup2(fileno(again), 0);
  fclose(again);
  return run(words);
}
