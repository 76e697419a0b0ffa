import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorEnvelope } from '#lib/contract/schemas';
import type { Case } from './cases.ts';

/** Server that requests go to, and the headers of each sender. */
export interface Target {
  baseURL: string;
  who: Record<Case['as'], Record<string, string>>;
}

/** Timeout of an answer; no request of the fuzzer waits on purpose. */
const LONGEST_MS = 20_000;
const ENVELOPED = /^\/(v1|api|media|healthz|metrics)(\/|$)/;

export const makeAgent = (sockets: number) => new Agent({ keepAlive: true, maxSockets: sockets });

/** Outcome of a case; `flaw` says what is wrong with the answer, if anything. */
interface Verdict {
  status: number;
  flaw: string | null;
}

/** Sends a case and checks the answer. */
export async function judge(target: Target, agent: Agent, { as, method, path, headers, body }: Case): Promise<Verdict> {
  const { hostname, port } = new URL(target.baseURL);
  const answer = await new Promise<IncomingMessage>((done, failed) => {
    const options = {
      hostname,
      port,
      agent,
      method,
      path,
      headers: { ...target.who[as], ...headers },
      timeout: LONGEST_MS,
    };
    const sent = request(options, done).on('error', failed);
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${LONGEST_MS} ms, ${stateOf(sent)}`)));
    sent.end(body);
  });
  const { statusCode: status = 0, headers: got } = answer;
  const said = await text(answer);
  const isEnveloped = status >= 400 && method !== 'HEAD' && ENVELOPED.test(new URL(target.baseURL + path).pathname);
  const flaw =
    (status >= 500 && 'a fault') ||
    (!got['x-request-id'] && 'no X-Request-Id') ||
    (isEnveloped && !isEnvelope(said) && 'outside of the envelope');
  return { status, flaw: flaw ? `${flaw}: ${status} ${said.slice(0, 300)}` : null };
}

/** Describes the connection of a request, to tell a silent server from a missing connection. */
function stateOf({ socket, reusedSocket }: ClientRequest): string {
  if (!socket) return 'without a connection';
  const { connecting, localPort, bytesWritten, bytesRead, writableLength } = socket;
  return JSON.stringify({ reusedSocket, connecting, localPort, bytesWritten, bytesRead, writableLength });
}

/** Sends bytes over a new socket; returns what is wrong with the answer, or null. An empty answer is allowed. */
export async function judgeRaw(target: Target, bytes: string): Promise<string | null> {
  const { host, hostname, port } = new URL(target.baseURL);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {}).setTimeout(LONGEST_MS, () => socket.destroy(new Error('silent')));
  socket.end(Buffer.from(bytes.replaceAll('HOST', host), 'latin1'));
  const said = await text(socket).catch((error: Error) => error.message);
  if (said === 'silent') return 'no answer';
  const status = Number(/^HTTP\/1\.1 (?!100)(\d{3})/m.exec(said)?.[1] ?? 0);
  return status >= 500 ? said.slice(0, 300) : null;
}

function isEnvelope(said: string): boolean {
  try {
    return errorEnvelope.safeParse(JSON.parse(said)).success;
  } catch {
    return false;
  }
}
