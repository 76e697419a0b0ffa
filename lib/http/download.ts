import { asReaderOf } from '#lib/http/limit-reads';

interface Download {
  accountId: string;
  name: string;
  type: string;
}

/** A file that is made for an account while the browser writes it to disk; of each account few are under way at a time. */
export const download = (
  request: Request,
  { accountId, name, type }: Download,
  make: () => BodyInit | Promise<BodyInit>,
): Promise<Response> =>
  asReaderOf(`download ${accountId}`, request, async () => {
    const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
    return new Response(await make(), { headers });
  });
