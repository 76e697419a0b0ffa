import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { env } from '#lib/env';
import { networkOf } from '#lib/http/client-address';
import { expectsBody } from '#lib/http/limit-times';
import { metrics } from '#lib/http/metrics';
import { noteLimit } from '#lib/limits';
import { tally } from '#lib/tally';

/** Files and database connections want descriptors too. */
const RESERVED = 256;

/** Holds the open connections to their limits. Whoever opens many and sends nothing is who loses them. */
export function limitSockets(server: Server, descriptors = openFilesLimit()): void {
  const { LIMIT_SOCKETS, LIMIT_SOCKETS_PER_ADDRESS, TRUST_PROXY } = env();
  const most = Math.max(1, Math.min(LIMIT_SOCKETS, descriptors - RESERVED));
  /** Those that carry no whole request, longest so first. */
  const idle = new Set<Socket>();
  const perNetwork = new Map<string, number>();
  let open = 0;

  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? 'unknown');
    const count = (by: 1 | -1) => {
      open += by;
      metrics().connections.set(open);
      return tally(perNetwork, network, by);
    };
    const ofNetwork = count(1);
    idle.add(socket);
    socket.once('close', () => {
      count(-1);
      idle.delete(socket);
    });
    if (TRUST_PROXY === 0 && ofNetwork > LIMIT_SOCKETS_PER_ADDRESS) close(socket, 'LIMIT_SOCKETS_PER_ADDRESS');
    else if (open > most) {
      const [longest = socket] = idle;
      close(longest, 'LIMIT_SOCKETS');
    }
  });

  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    const arrived = () => idle.delete(socket);
    if (expectsBody(incoming)) incoming.once('end', arrived);
    else arrived();
    outgoing.once('close', () => socket.destroyed || idle.add(socket));
  });

  function close(socket: Socket, limit: 'LIMIT_SOCKETS' | 'LIMIT_SOCKETS_PER_ADDRESS'): void {
    noteLimit(limit);
    // it counts as closed from now on, not when the system has said so
    idle.delete(socket);
    socket.destroy();
  }
}

function openFilesLimit(): number {
  // addresses of open connections would be looked up by name
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}
