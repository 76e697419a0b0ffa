import { asReaderOf } from '#lib/http/limit-reads';

interface Download {
  accountId: string;
  name: string;
  type: string;
}

/** Answers with a file that is generated while the browser saves it; limits concurrent downloads per account. */
export const download = (
  request: Request,
  { accountId, name, type }: Download,
  make: () => BodyInit | Promise<BodyInit>,
): Promise<Response> =>
  asReaderOf(`download ${accountId}`, request, async () => {
    const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
    return new Response(await make(), { headers });
  });
