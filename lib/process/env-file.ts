import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

// Imported first by every program of ours: settings and secrets may stand in a file. What the environment itself has, wins.

const FILE = '.env';

if (existsSync(FILE)) {
  const bytes = readFileSync(FILE);
  // editors of Windows begin it with a mark, which would be part of the first name, or write two bytes a character
  const text = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}
