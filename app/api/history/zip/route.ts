import { archiveGenerations } from '#lib/generations/archive';
import { answer } from '#lib/http/answer';
import { getSessionCaller } from '#lib/http/caller';
import { asReaderOf } from '#lib/http/limit-reads';
import { methods } from '#lib/http/methods';

/** The files of `?ids=` or `?collection=` and their settings as one zip. A plain link, so that the browser writes it to disk as it comes. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async request => {
    const { accountId } = await getSessionCaller(request);
    const query = new URL(request.url).searchParams;
    const collection = query.get('collection');
    const which = collection === null ? { ids: query.get('ids')?.split(',') ?? [] } : { collection };
    const day = new Date().toISOString().slice(0, 10);
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="pomona-${day}.zip"`,
    };
    const make = async () => new Response(await archiveGenerations(accountId, which), { headers });
    return asReaderOf(`download ${accountId}`, request, make);
  }),
});
