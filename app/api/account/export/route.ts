import { exportAccount } from '#lib/export/export-account';
import { answer } from '#lib/http/answer';
import { getRecentCaller } from '#lib/http/caller';
import { download } from '#lib/http/download';
import { methods } from '#lib/http/methods';
import { requireOwnLink } from '#lib/http/same-origin';

/** Zip of all data of the account. A plain link, so the browser streams it to disk. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async request => {
    requireOwnLink(request);
    const { accountId } = await getRecentCaller(request);
    const name = `pomona-account-${new Date().toISOString().slice(0, 10)}.zip`;
    return download(request, { accountId, name, type: 'application/zip' }, () => exportAccount(accountId));
  }),
});
