import { createServer } from 'node:http';
import pg from 'pg';

// The bare counterpart of a status poll: one primary-key SELECT over a pool of the same size, written out as JSON.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

createServer(async (incoming, outgoing) => {
  const id = incoming.url?.slice(1);
  const { rows } = await pool.query({ name: 'poll', text: 'select * from requests where id = $1', values: [id] });
  outgoing.setHeader('content-type', 'application/json');
  outgoing.end(JSON.stringify(rows[0]));
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
