import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { request, type Dispatcher } from 'undici';

/** A fault between an engine and its server. */
export type Fault =
  | 'none'
  /** The response begins late. */
  | 'slow'
  /** No response is sent. */
  | 'silent'
  /** The connection is closed immediately. */
  | 'closed'
  /** The connection is closed in the middle of the response. */
  | 'cut'
  /** The response is an unrelated HTML page. */
  | 'page'
  /** The response is JSON of an unexpected shape. */
  | 'nonsense'
  /** The response has this error status. */
  | number;

export interface FaultServer {
  url: string;
  /** Fault that applies to all requests from now on. */
  fault: Fault;
  close(): Promise<void>;
}

/** Starts a proxy in front of a server that injects faults. */
export async function startFaultServer(target: string): Promise<FaultServer> {
  const server = createServer((asked, answer) => {
    pass(asked, answer, target, self.fault).catch(() => answer.destroy());
  });
  server.on('upgrade', (asked, socket, head) => {
    const { hostname, port } = new URL(target);
    if (self.fault !== 'none') return void socket.destroy();
    const onward = connect(Number(port), hostname, () => {
      const headers = asked.rawHeaders.map((part, index) => part + (index % 2 ? '\r\n' : ': ')).join('');
      onward.write(`GET ${asked.url} HTTP/1.1\r\n${headers}\r\n`);
      onward.write(head);
      pipeline(onward, socket, onward).catch(() => {});
    });
    onward.on('error', () => socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const self: FaultServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: 'none',
    async close() {
      const closed = once(server, 'close');
      server.close().closeAllConnections();
      await closed;
    },
  };
  return self;
}

async function pass(asked: IncomingMessage, answer: ServerResponse, target: string, fault: Fault): Promise<void> {
  if (fault === 'closed') return void answer.destroy();
  if (fault === 'silent') return;
  if (fault === 'page') return void answer.end('<html>It works!</html>');
  if (fault === 'nonsense') return void answer.end('{"nonsense":[1,{}]}');
  if (typeof fault === 'number')
    return void answer.writeHead(fault).end(`refused to ${asked.headers.authorization ?? asked.url}`);
  const { statusCode, headers, body } = await request(`${target}${asked.url}`, {
    method: asked.method as Dispatcher.HttpMethod,
    headers: { ...asked.headers, host: new URL(target).host, 'x-forwarded-host': asked.headers.host },
    body: asked,
  });
  if (fault === 'slow') await new Promise(resolve => setTimeout(resolve, 200));
  answer.writeHead(statusCode, headers);
  if (fault !== 'cut') return pipeline(body, answer);
  for await (const chunk of body) {
    answer.write((chunk as Buffer).subarray(0, (chunk as Buffer).length / 2), () => answer.destroy());
    break;
  }
}
