/** The thread of thread.ts: answers queries one after the other. Rows come as SQLite returns them. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

export interface Question {
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

export interface Answer {
  readonly rows?: Record<string, unknown>[];
  readonly error?: unknown;
  /** SQLite's code, which an error loses on its way between threads. */
  readonly errcode?: number | undefined;
}

const database = new DatabaseSync((workerData as { file: string }).file, {
  readOnly: true,
  timeout: 5_000,
});
database.exec('pragma temp_store = memory; pragma cache_size = -16000');
const prepared = new Map<string, StatementSync>();

function prepare(sql: string): StatementSync {
  const known = prepared.get(sql);
  if (known) return known;
  if (prepared.size >= 200) prepared.clear();
  const statement = database.prepare(sql);
  prepared.set(sql, statement);
  return statement;
}

function answer({ sql, parameters }: Question): Answer {
  try {
    return { rows: prepare(sql).all(...parameters) };
  } catch (error) {
    return { error, errcode: (error as { errcode?: number }).errcode };
  }
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)));
