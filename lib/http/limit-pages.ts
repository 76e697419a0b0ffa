import type { IncomingMessage, ServerResponse } from 'node:http';
import { countHere } from '#lib/accounts/throttle';
import { findSessionToken } from '#lib/auth/session-token';
import { AppError } from '#lib/errors';
import { addressOf, clientAddress } from '#lib/http/client-address';
import { refuse } from '#lib/http/guard';
import { asReaderOfPage } from '#lib/http/limit-reads';

/** Counts what is shown to whoever has no session, and says who it is. Throws `too_many_requests` when that was too much. */
async function countPage(cookies: string | null, address: string): Promise<string> {
  const session = await findSessionToken(cookies);
  if (session) return `page ${session.accountId}`;
  await countHere('LIMIT_PAGES_PER_ADDRESS', address, seconds => `Too many pages at once. Try again in ${seconds} s.`);
  return `page ${address}`;
}

/** The same for what is no page of Next, and large. */
export const countAnswer = async (request: Request): Promise<void> =>
  void (await countPage(request.headers.get('cookie'), clientAddress(request)));

/** Renders a page, unless there were too many: then it is refused. */
export async function limitPage(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  render: () => unknown,
): Promise<void> {
  if (isStatic(incoming)) return void (await render());
  try {
    const whose = await countPage(incoming.headers.cookie ?? null, addressOf(incoming));
    await asReaderOfPage(whose, outgoing, render);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    refuse(outgoing, error);
  }
}

/** What a build made is read from disk. */
const isStatic = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/_next/static/') || url === '/icon.svg';
