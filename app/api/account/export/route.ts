import { exportAccount } from '#lib/export/export-account';
import { answer } from '#lib/http/answer';
import { getRecentCaller } from '#lib/http/caller';
import { asReaderOf } from '#lib/http/limit-reads';
import { methods } from '#lib/http/methods';
import { requireOwnLink } from '#lib/http/same-origin';

/** All that the account has. A plain link, so that the browser writes it to disk as it comes. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async request => {
    requireOwnLink(request);
    const { accountId } = await getRecentCaller(request);
    const day = new Date().toISOString().slice(0, 10);
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="pomona-account-${day}.zip"`,
    };
    const make = async () => new Response(await exportAccount(accountId), { headers });
    return asReaderOf(`download ${accountId}`, request, make);
  }),
});
