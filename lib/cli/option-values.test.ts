import { expect, test } from 'vitest';
import { moment, wholeNumber } from '#lib/cli/option-values';

test.each([
  '-1',
  '1.5',
  '1e3',
  '1e400',
  '99999999999999999999',
  '1000000001',
  'NaN',
  'Infinity',
  '0x10',
  '',
  ' 1',
  '٣',
  '0',
])('%j is refused as a number of gems', text => {
  expect(() => wholeNumber(1)(text)).toThrow('It must be a whole number from 1 to 1000000000.');
});

test('whole numbers of gems within the limits are accepted', () => {
  expect(wholeNumber(0)('0')).toBe(0);
  expect(wholeNumber(1)('1')).toBe(1);
  expect(wholeNumber(1)('1000000000')).toBe(1_000_000_000);
});

test.each([
  '2027-02-30',
  '30.12.2030',
  'tomorrow',
  '2030',
  '',
  '1e400',
  '2030-12-31T18:00:00',
  '9999-12-31T23:59:59-01:00',
])('%j is refused as a date', text => {
  expect(() => moment(text)).toThrow('It must be a date such as');
});

test('a date without a time means the start of its day in UTC, a date with a time means that moment', () => {
  expect(moment('2030-12-31')).toEqual(new Date('2030-12-31T00:00:00Z'));
  expect(moment('2030-12-31T18:00:00+02:00')).toEqual(new Date('2030-12-31T16:00:00Z'));
});
