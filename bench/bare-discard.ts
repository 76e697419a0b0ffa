import { createServer } from 'node:http';

// The bare counterpart of a server under attack: discards every request body and answers immediately.
createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => outgoing.end('{}'));
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
