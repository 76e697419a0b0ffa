import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';

// A slow remote engine without processor load: an OpenAI-compatible server that always returns the same image.
const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const;
const picture = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: '#446688', noise } })
  // some detail, as real images have
  .blur(4)
  .png()
  .toBuffer();
const answers: Record<string, () => unknown> = {
  '/v1/models': () => ({ object: 'list', data: [{ id: 'slow', object: 'model' }] }),
  '/v1/images/generations': () => ({ created: 0, data: [{ b64_json: picture.toString('base64') }] }),
};

createServer(async (incoming, outgoing) => {
  incoming.resume();
  const answer = answers[incoming.url ?? ''];
  if (incoming.method === 'POST') await pause(Number(process.env.DELAY));
  outgoing.statusCode = answer ? 200 : 404;
  outgoing.setHeader('content-type', 'application/json');
  outgoing.end(JSON.stringify(answer?.() ?? {}));
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
