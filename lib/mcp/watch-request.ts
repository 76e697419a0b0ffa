import { waitForGeneration } from '#lib/generations/wait';
import type { Readable } from '#lib/generations/read';
import { isFinal } from '#lib/status';
import type { ToolCall } from '#lib/mcp/tool';

/** Interval of progress reports to a client that asked for them. */
const REPORT_SECONDS = 3;

/** Returns the request once it is final, or as it is after `seconds`; reports its progress meanwhile. */
export async function watchRequest(id: string, seconds: number, call: ToolCall): Promise<Readable> {
  const { caller, signal, report } = call;
  const begun = performance.now();
  const waited = () => Math.min(seconds, Math.round((performance.now() - begun) / 1000));
  for (let step = 0; ; step++) {
    const due = Math.min(REPORT_SECONDS * (step + 1), seconds);
    const poll = { accountId: caller.accountId, id, seconds: due - waited(), clientGone: signal };
    const generation = await waitForGeneration(poll);
    // waited less than asked: `waitForGeneration` answers immediately when too many polls wait already
    if (isFinal(generation.status) || waited() < due || due >= seconds || signal.aborted) return generation;
    await report({ progress: due, total: seconds, message: messageOf(generation) });
  }
}

const messageOf = ({ status, progress }: Readable): string =>
  status === 'queued' ? 'Queued' : `In progress${progress === null ? '' : `, ${Math.floor(progress * 100)} %`}`;
