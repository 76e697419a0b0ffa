import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { env } from '#lib/env';
import { networkOf } from '#lib/http/client-address';
import { expectsBody } from '#lib/http/limit-times';
import { metrics } from '#lib/http/metrics';
import { noteLimit } from '#lib/limits';
import { tally } from '#lib/tally';

/** File descriptors kept for files and database connections. */
const RESERVED = 256;

/** Limits the number of open connections. Over the total limit, the connection that has been idle longest is closed. */
export function limitSockets(server: Server, descriptors = openFilesLimit()): void {
  const { LIMIT_SOCKETS, LIMIT_SOCKETS_PER_ADDRESS, TRUST_PROXY } = env();
  const most = Math.max(1, Math.min(LIMIT_SOCKETS, descriptors - RESERVED));
  /** Connections without a complete request, the longest idle first. */
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
    // counted as closed right away, not when the system reports it
    idle.delete(socket);
    socket.destroy();
  }
}

function openFilesLimit(): number {
  // without this option the report resolves the addresses of open connections to names
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}
