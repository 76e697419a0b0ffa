import { createServer } from 'node:http';

// The bare counterpart of a server under attack: it throws away what comes and answers at once.
createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => outgoing.end('{}'));
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
