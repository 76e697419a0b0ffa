import { existsSync } from 'node:fs';

// Imported first by every program of ours: settings and secrets may stand in a file. What the environment itself has, wins.

const FILE = '.env';

if (existsSync(FILE)) process.loadEnvFile(FILE);
