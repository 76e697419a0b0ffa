import type { Generation } from './wire.ts';

/** Shows the progress of a request: one line that is rewritten on a terminal, otherwise a line for each new status. */
export function showProgress(out: NodeJS.WriteStream): { update: (request: Generation) => void; end: () => void } {
  let last = '';
  const write = (text: string) => {
    if (text !== last) out.write(out.isTTY ? `\r\u001B[2K${text}` : `${text}\n`);
    last = text;
  };
  return {
    update: request => write(out.isTTY ? wordsOf(request) : request.status),
    end: () => void (out.isTTY && out.write('\r\u001B[2K')),
  };
}

function wordsOf({ status, queue_position, progress, eta_seconds }: Generation): string {
  const parts = [
    status.replace('_', ' '),
    queue_position !== undefined && `place ${queue_position}`,
    progress !== undefined && `${bar(progress)} ${Math.round(progress * 100)} %`,
    eta_seconds !== undefined && `about ${Math.ceil(eta_seconds)} s`,
  ];
  return parts.filter(Boolean).join(' · ');
}

const WIDTH = 20;
const bar = (part: number) => '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░');
