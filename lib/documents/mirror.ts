import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { db, type Tx } from '#lib/db/client';
import {
  changedAt,
  documents,
  followDocuments,
  lockDocument,
  refreshDocuments,
  writeDocument,
} from '#lib/documents/documents';
import { env } from '#lib/env';
import { hasCode } from '#lib/errors';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Returns the problem of a document, so that an invalid one is not stored; null when it is valid. */
type Check = (path: string, text: string) => string | null;

const LOOK_EVERY_MS = 1_000;
const ENGINES = 'engines.json';
const CATALOG = 'catalog';

/** Returns the file on this machine for a document's path. */
const fileOf = (path: string): string =>
  path === ENGINES ? (env().ENGINES_FILE ?? join(env().DATA_DIR, ENGINES)) : join(env().DATA_DIR, path);

interface Seen {
  /** Stamp of the file when it was last read. */
  stamp: string;
  /** Modification time in milliseconds; null when the file cannot be read. */
  savedAt: number | null;
  text: string;
  /** Problem of the file, which is then left alone until it is saved again. */
  wrong?: string;
}

/** Returns files and folders on this machine that cannot be used, and why; the last valid versions stay in effect. */
export const badFiles = (): { file: string; wrong: string }[] => [
  ...[...closed()].map(([file, wrong]) => ({ file, wrong })),
  ...[...seen()].flatMap(([path, { wrong }]) => (wrong ? { file: fileOf(path), wrong } : [])),
];

/** Reads a document's file on this machine without importing it. Returns its problem; null when it has none. */
export async function checkFileHere(path: string, check: Check): Promise<{ file: string; message: string } | null> {
  const file = await look(fileOf(path), undefined);
  // a file that this user may not read says nothing of the process that does
  const message = file && !file.wrong ? check(path, file.text) : null;
  return message ? { file: fileOf(path), message } : null;
}

/** State of each file when it was last read. */
const seen = () => singleton('documents.seen', () => new Map<string, Seen>());

/** Folders that could not be read last time, with the reason. */
const closed = () => singleton('documents.closed', () => new Map<string, string>());

/**
 * Mirrors the documents as files on this machine. Saving a file changes the document on every machine, unless it is
 * invalid, which is logged. If document and file both changed, the newer one wins.
 */
export async function mirrorDocuments(check: Check): Promise<{ close(): Promise<void> }> {
  seen().clear();
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const begin = () => {
    next = undefined;
    return sync(check);
  };
  // at most one sync waits for the running one and is shared, or they would queue up while the database is unavailable
  const look = () => (next ??= running = running.then(begin));
  const following = await followDocuments(look);
  await look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      await following.close();
      await running;
    },
  };
}

async function sync(check: Check): Promise<void> {
  try {
    const paths = new Set([...documents().keys(), ...seen().keys(), ...(await pathsHere())]);
    for (const path of paths) await syncOne(path, check);
  } catch (error) {
    log().warn({ err: error }, 'documents not compared with their files');
  }
}

async function pathsHere(): Promise<string[]> {
  const unread = new Map<string, string>();
  const files = await jsonIn(join(env().DATA_DIR, CATALOG), unread);
  for (const [folder, wrong] of unread)
    if (closed().get(folder) !== wrong)
      log().error({ folder, wrong }, 'folder not readable; changes in it are not seen');
  closed().clear();
  for (const [folder, wrong] of unread) closed().set(folder, wrong);
  return [ENGINES, ...files.map(file => relative(env().DATA_DIR, file))];
}

/** Returns the JSON files below a folder. Folders that cannot be read are added to `unread`. */
async function jsonIn(folder: string, unread: Map<string, string>): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    if (!hasCode(error, 'ENOENT')) unread.set(folder, error.message);
    return [];
  });
  const files = entries.filter(entry => entry.isFile() && /^[^.].*\.json$/.test(entry.name));
  const below = entries.filter(entry => entry.isDirectory()).map(({ name }) => jsonIn(join(folder, name), unread));
  return [...files.map(({ name }) => join(folder, name)), ...(await Promise.all(below)).flat()];
}

async function syncOne(path: string, check: Check): Promise<void> {
  const before = seen().get(path);
  const file = await look(fileOf(path), before);
  if (file?.wrong) return file.wrong === before?.wrong ? undefined : leave(path, file);
  const text = documents().get(path);
  if (file?.text === text) return note(path, file);
  const last = before?.wrong === undefined ? before?.text : undefined;
  if (file?.text === last) return writeFileHere(path, text);
  const wrong = file && check(path, file.text);
  const isTaken = await db().transaction(async tx => {
    if (!(await isEdited(path, file, last, tx))) return false;
    if (!wrong) await writeDocument(path, file?.text ?? null, tx);
    return true;
  });
  await refreshDocuments();
  if (!isTaken) return writeFileHere(path, documents().get(path));
  if (wrong) return leave(path, { ...file, wrong });
  note(path, file);
  log().info({ file: fileOf(path), removed: !file }, 'file imported');
}

const note = (path: string, file: Seen | null): void => void (file ? seen().set(path, file) : seen().delete(path));

/** Logs an invalid file once and leaves it alone. */
function leave(path: string, file: Seen): void {
  log().error({ file: fileOf(path), wrong: file.wrong }, 'file is invalid; the last valid version stays in use');
  note(path, file);
}

async function look(file: string, before: Seen | undefined): Promise<Seen | null> {
  try {
    const facts = await stat(file);
    if (!facts.isFile()) return null;
    const stamp = `${facts.mtimeMs} ${facts.size} ${facts.ino}`;
    if (before?.stamp === stamp) return before;
    return { stamp, savedAt: facts.mtimeMs, text: await readFile(file, 'utf8') };
  } catch (error) {
    // without a stamp the file is read again next time: its owner can change without a change of the stamp
    return hasCode(error, 'ENOENT') ? null : { stamp: '', savedAt: null, text: '', wrong: (error as Error).message };
  }
}

/**
 * Whether the file wins over the document: only the file changed since they were equal, or it was saved after the
 * document was written or removed, also by another process whose notification has not arrived.
 */
async function isEdited(path: string, file: Seen | null, last: string | undefined, tx: Tx): Promise<boolean> {
  if ((await lockDocument(path, tx)) === last) return true;
  if (file === null) return false;
  const at = await changedAt(path, tx);
  return at === null || (file.savedAt !== null && file.savedAt > at);
}

/** Documents that could not be written to this machine, as on a full disk. */
const unwritten = () => singleton('documents.unwritten', () => new Set<string>());

async function writeFileHere(path: string, text: string | undefined): Promise<void> {
  const file = fileOf(path);
  try {
    await (text === undefined ? rm(file, { force: true }) : replaceFile(file, text));
    unwritten().delete(path);
  } catch (error) {
    // logged once, and retried at the next sync
    if (!unwritten().has(path))
      log().warn({ file, reason: (error as Error).message }, 'document not written to this machine');
    unwritten().add(path);
  }
  // if the write failed, the file is unchanged and must not count as edited or removed
  note(path, await look(file, undefined));
}

async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.draft`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
