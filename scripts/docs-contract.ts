import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reference } from '#lib/docs/reference';

const REFERENCE = resolve(import.meta.dirname, '../docs/reference.md');
const CONTRACT = resolve(import.meta.dirname, '../docs/contract.md');

export const readDocs = async () => ({
  reference: await readFile(REFERENCE, 'utf8'),
  contract: await readFile(CONTRACT, 'utf8'),
});

if (import.meta.main) await writeFile(REFERENCE, reference());
