import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

// The bare counterparts of an upload (a pipeline to a file, synced) and of a download (a file stream).
const folder = String(process.env.DATA_DIR);

createServer(async (incoming, outgoing) => {
  if (incoming.method === 'PUT') {
    const path = join(folder, `bare-${randomUUID()}`);
    await pipeline(incoming, createWriteStream(path));
    const file = await open(path);
    await file.sync();
    await file.close();
    outgoing.end();
    return;
  }
  const path = join(folder, String(incoming.url).slice(1));
  outgoing.setHeader('content-length', (await stat(path)).size);
  await pipeline(createReadStream(path), outgoing);
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
