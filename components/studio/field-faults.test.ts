import { expect, test } from 'vitest';
import { faultsByField, issuesByField } from '#components/studio/field-faults';

const fault = (keyword: string, instancePath: string, params = {}) => ({ keyword, instancePath, params });

test('each faulty field has one message, and the prompt has its own wording', () => {
  const told = faultsByField([
    fault('required', '', { missingProperty: 'prompt' }),
    fault('maximum', '/seed', { limit: 7 }),
    fault('multipleOf', '/seed', { multipleOf: 1 }),
    fault('pattern', '/images/2'),
    fault('const', '/odd~1name'),
  ]);
  expect([...told]).toEqual([
    ['prompt', 'Say what to make'],
    ['seed', 'At most 7'],
    ['images', 'This cannot be used here'],
    ['odd/name', 'This cannot be used'],
  ]);
  expect(faultsByField([fault('maxLength', '/prompt', { limit: 3000 })]).get('prompt')).toBe('At most 3000 characters');
});

test('all issues from the server are listed under their field', () => {
  const issues = [
    { path: '/images/0', message: 'images/0 must be a picture.' },
    { path: '/images/1', message: 'images/1 must be a picture.' },
    { path: '', message: 'Something else.' },
  ];
  expect([...issuesByField(issues)]).toEqual([
    ['images', ['images/0 must be a picture.', 'images/1 must be a picture.']],
  ]);
});
