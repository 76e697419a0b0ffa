import { waitForGeneration } from '#lib/generations/wait';
import type { Readable } from '#lib/generations/read';
import { isFinal } from '#lib/status';
import type { ToolCall } from '#lib/mcp/tool';

/** How often a client that wants to know hears how far it is. */
const REPORT_SECONDS = 3;

/** The request once it is final, or as it is when the seconds are over; tells meanwhile how it goes. */
export async function watchRequest(id: string, seconds: number, call: ToolCall): Promise<Readable> {
  const { caller, signal, report } = call;
  const begun = performance.now();
  const waited = () => Math.min(seconds, Math.round((performance.now() - begun) / 1000));
  for (let step = 0; ; step++) {
    const due = Math.min(REPORT_SECONDS * (step + 1), seconds);
    const poll = { accountId: caller.accountId, id, seconds: due - waited(), clientGone: signal };
    const generation = await waitForGeneration(poll);
    // where too many wait already, the answer came at once
    if (isFinal(generation.status) || waited() < due || due >= seconds || signal.aborted) return generation;
    await report({ progress: due, total: seconds, message: messageOf(generation) });
  }
}

const messageOf = ({ status, progress }: Readable): string =>
  status === 'queued' ? 'Queued' : `In progress${progress === null ? '' : `, ${Math.floor(progress * 100)} %`}`;
