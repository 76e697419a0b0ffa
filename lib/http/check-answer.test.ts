import { expect, test } from 'vitest';
import { checkAnswer } from '#lib/http/check-answer';
import { account } from '#lib/contract/schemas';

test('a response with an unknown or missing member fails its schema check', () => {
  checkAnswer(account, { gems: { balance: 5 }, auto_top_up: undefined });
  expect(() => checkAnswer(account, { gems: { balance: 5, secret: 1 } })).toThrow('secret');
  expect(() => checkAnswer(account, { gems: {} })).toThrow('balance');
});
