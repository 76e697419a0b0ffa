import { waitForGeneration } from '#lib/generations/wait';
import type { Readable } from '#lib/generations/read';
import { isFinal } from '#lib/status';
import type { ToolCall } from '#lib/mcp/tool';

/** How often a client that wants to know hears how far it is. */
const REPORT_SECONDS = 3;

/** The request once it is final, or as it is when the seconds are over; tells meanwhile how it goes. */
export async function watchRequest(id: string, seconds: number, call: ToolCall): Promise<Readable> {
  const { caller, signal, report } = call;
  for (let waited = 0; ;) {
    const step = Math.min(REPORT_SECONDS, seconds - waited);
    const generation = await waitForGeneration(caller.accountId, id, step, signal);
    waited += step;
    if (isFinal(generation.status) || waited >= seconds || signal.aborted) return generation;
    await report({ progress: waited, total: seconds, message: messageOf(generation) });
  }
}

const messageOf = ({ status, progress }: Readable): string =>
  status === 'queued' ? 'Queued' : `In progress${progress === null ? '' : `, ${Math.floor(progress * 100)} %`}`;
