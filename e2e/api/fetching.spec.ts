import { expect, test } from '../fixtures.ts';
import { openMediaHost, type MediaHost } from '../media-host.ts';
import { freePort } from '../process.ts';

// media fields with an https URL: accepted immediately, fetched as the first step of the run

let host: MediaHost;
test.beforeEach(async () => void (host = await openMediaHost()));
test.afterEach(() => host.close());

const withImage = (image: string) => ({ architecture: 'mango', body: { prompt: 'a quay at dawn', image } });

test('a submission does not fetch its media; a worker does, while the stage is fetching_media', async ({ idle }) => {
  const customer = await idle.open();
  const accepted = await customer.submit(withImage(`${host.url}/silent`));
  expect(host.asked).toEqual([]);
  expect(await customer.status(accepted.request_id)).toMatchObject({ stage: 'fetching_media' });

  idle.startWorker(host.env);
  await host.came(1);
  const fetching = await customer.status(accepted.request_id);
  expect(fetching).toMatchObject({ stage: 'fetching_media' });
  expect(fetching.progress).toBeUndefined();
  const other = await customer.submit(withImage(`${host.url}/picture.png`));
  const final = await customer.finish(other);
  expect(final).toMatchObject({ status: 'completed' });
  expect(final).not.toHaveProperty('stage');

  // the request keeps its own copy
  const { inputs, config } = await customer.detail(other.request_id);
  expect(inputs).toMatchObject([{ role: 'reference', content_type: 'image/png' }]);
  expect(config.image).toBe(inputs[0]!.url);
  expect((await customer.api.get(inputs[0]!.url)).status()).toBe(200);
});

const FAILURES: [name: string, address: () => string | Promise<string>, says: RegExp][] = [
  ['a name that nobody knows', () => 'https://nowhere.invalid/a.png', /no public server answers there/],
  ['an address inside, behind a redirect', () => `${host.url}/inside`, /no public server answers there/],
  ['a file that is not there', () => `${host.url}/missing`, /answered 404/],
  ['more than 100 MB', () => `${host.url}/large`, /larger than 104,857,600 bytes/],
  ['what is no picture', () => `${host.url}/text`, /image/],
  ['too many redirects', () => `${host.url}/loop`, /redirects more than 3 times/],
  ['nobody at the port', async () => `https://localhost:${await freePort()}/a.png`, /connection to its server failed/],
];

test('media that cannot be fetched fails the request with a refund and an error naming field and reason', async ({
  idle,
}) => {
  const customer = await idle.open();
  const requests = [];
  for (const [name, address, says] of FAILURES)
    requests.push({ name, says, accepted: await customer.submit(withImage(await address())) });
  idle.startWorker(host.env);
  for (const { name, says, accepted } of requests) {
    const final = await customer.finish(accepted);
    expect(final, name).toMatchObject({
      status: 'failed',
      error: { code: 'generation_failed' },
      billing: { gems_refunded: accepted.billing.gems_charged },
    });
    expect(final.error!.message, name).toMatch(says);
    expect(final.error!.message, name).toContain('image cannot be used.');
    expect(final.error!.message, name).not.toContain('10.0.0.1');
  }
  expect(await customer.balance()).toBe(10_000);
});

test('a private address is refused on submission, or on fetching if a host name resolves to one', async ({ idle }) => {
  const customer = await idle.open();
  for (const address of ['https://127.0.0.1/a.png', 'https://[::1]/a.png', 'https://169.254.169.254/latest'])
    expect((await customer.post(withImage(address))).status(), address).toBe(400);
  // a name that resolves to a private address is noticed when it is fetched, and reported like an unknown name
  const accepted = await customer.submit(withImage(`${host.url}/picture.png`));
  idle.startWorker();
  const { error } = await customer.finish(accepted);
  expect(error!.message).toContain('no public server answers there');
  expect(host.asked).toEqual([]);
});

test('cancelling a request ends its fetch', async ({ idle }) => {
  const customer = await idle.open();
  idle.startWorker(host.env);
  const { request_id, billing } = await customer.submit(withImage(`${host.url}/silent`));
  await host.came(1);
  await customer.cancel(request_id);
  await host.left;
  expect(await customer.status(request_id)).toMatchObject({ status: 'cancelled' });
  expect(await customer.balance()).toBe(10_000 - billing.gems_charged);
});

test('another worker completes a request whose worker was killed while fetching', async ({ idle }) => {
  test.setTimeout(90_000);
  const customer = await idle.open();
  const first = idle.startWorker(host.env);
  const accepted = await customer.submit(withImage(`${host.url}/silent`));
  await host.came(1);
  await first.kill();
  host.speak();
  idle.startWorker(host.env);
  expect(await customer.finish(accepted)).toMatchObject({ status: 'completed' });
  expect(host.asked).toEqual(['/silent', '/silent']);
  const { rows } = await idle.pool.query('select interruptions, attempts from requests where id = $1', [
    accepted.request_id,
  ]);
  expect(rows).toEqual([{ interruptions: 1, attempts: 0 }]);
});

test('a worker that is stopped hands its fetches over to another worker', async ({ idle }) => {
  const customer = await idle.open();
  const first = idle.startWorker(host.env);
  const accepted = await customer.submit(withImage(`${host.url}/silent`));
  await host.came(1);
  host.speak();
  idle.startWorker(host.env);
  await first.stop();
  expect(await customer.finish(accepted)).toMatchObject({ status: 'completed' });
  const { rows } = await idle.pool.query('select interruptions from requests where id = $1', [accepted.request_id]);
  expect(rows).toEqual([{ interruptions: 0 }]);
});
