// What SQLite alone does on this disk: `commits FILE ROWS SECONDS` appends an action of 80 bytes and replaces a state of 2 KB per row,
// ROWS rows in one transaction (WAL, synchronous=FULL, as Cairn opens it), and prints rows a second.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static sqlite3 *database;

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "commits: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void run(sqlite3_stmt *statement) {
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

static sqlite3_stmt *prepared(const char *sql) {
  sqlite3_stmt *statement = NULL;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
  return statement;
}

int main(int count, char **words) {
  if (count != 4) return 2;
  int rows = atoi(words[2]);
  double seconds = atof(words[3]);
  check(sqlite3_open(words[1], &database));
  check(sqlite3_exec(
      database,
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 20000;"
      "CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY, cause TEXT NOT NULL);"
      "CREATE TABLE IF NOT EXISTS states (number INTEGER PRIMARY KEY, state TEXT NOT NULL);",
      NULL, NULL, NULL));
  char cause[81] = {0}, state[2049] = {0};
  memset(cause, 'c', 80);
  memset(state, 's', 2048);
  sqlite3_stmt *begin = prepared("BEGIN IMMEDIATE"), *commit = prepared("COMMIT");
  sqlite3_stmt *append = prepared("INSERT INTO entries (cause) VALUES (?)");
  sqlite3_stmt *replace = prepared("INSERT OR REPLACE INTO states (number, state) VALUES (?, ?)");
  check(sqlite3_bind_text(append, 1, cause, 80, SQLITE_STATIC));
  check(sqlite3_bind_text(replace, 2, state, 2048, SQLITE_STATIC));
  long done = 0;
  double start = now(), end = start;
  while (end - start < seconds) {
    run(begin);
    for (int row = 0; row < rows; row++, done++) {
      run(append);
      check(sqlite3_bind_int64(replace, 1, done % 1000));
      run(replace);
    }
    run(commit);
    end = now();
  }
  printf("%.0f\n", (double)done / (end - start));
  return 0;
}
