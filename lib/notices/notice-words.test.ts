import { expect, test } from 'vitest';
import { noticeWords } from '#lib/notices/notice-words';

test('an expiry notice is worded in the singular for one result and in the plural for several', () => {
  const [first_expires_at, expires_before] = ['2026-11-24T00:00:00.000Z', '2026-12-01T00:00:00.000Z'];
  const told = (count: number) =>
    noticeWords({ kind: 'media.expiring', data: { count, first_expires_at, expires_before } });
  expect(told(1)).toMatchObject({
    title: 'One result expires soon',
    text: expect.stringMatching(/^It is deleted on /),
  });
  expect(told(2)).toMatchObject({ title: '2 results expire soon', text: expect.stringMatching(/^They are deleted /) });
});
