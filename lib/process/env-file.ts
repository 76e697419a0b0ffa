import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

// Imported first by every program: loads settings and secrets from .env. Environment variables take precedence.

const FILE = '.env';

if (existsSync(FILE)) {
  const bytes = readFileSync(FILE);
  // Windows editors may write UTF-16, or a byte order mark, which would become part of the first name
  const text = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}
