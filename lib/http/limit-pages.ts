import type { IncomingMessage, ServerResponse } from 'node:http';
import { countHere } from '#lib/accounts/throttle';
import { findSessionToken } from '#lib/auth/session-token';
import { AppError } from '#lib/errors';
import { addressOf, clientAddress } from '#lib/http/client-address';
import { refuse } from '#lib/http/guard';
import { asReaderOfPage } from '#lib/http/limit-reads';

/** Counts pages shown to addresses without a session, and names the reader. Throws `too_many_requests`. */
async function countPage(cookies: string | null, address: string): Promise<string> {
  const session = await findSessionToken(cookies);
  if (session) return `page ${session.accountId}`;
  await countHere('LIMIT_PAGES_PER_ADDRESS', address, seconds => `Too many pages at once. Try again in ${seconds} s.`);
  return `page ${address}`;
}

/** Counts a large response that is not rendered by Next in the same way. */
export const countAnswer = async (request: Request): Promise<void> =>
  void (await countPage(request.headers.get('cookie'), clientAddress(request)));

/** Renders a page, or refuses it when there were too many. */
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

/** Whether the request is for a file of the build, which is read from disk. */
const isStatic = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/_next/static/') || url === '/icon.svg';
