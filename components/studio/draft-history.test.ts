import { expect, test } from 'vitest';
import { beginDraft, changedDraft, redoneDraft, undoneDraft } from '#components/studio/draft-history';

const start = beginDraft({ prompt: '' });

test('typing without a pause is one undo step; a pause or another field starts the next', () => {
  let draft = changedDraft(start, { prompt: 'a' }, 0);
  draft = changedDraft(draft, { prompt: 'a fig' }, 500);
  draft = changedDraft(draft, { prompt: 'a fig', steps: 4 }, 600);
  draft = changedDraft(draft, { prompt: 'a fig, cut', steps: 4 }, 700);
  draft = changedDraft(draft, { prompt: 'a fig, cut open', steps: 4 }, 5000);
  const seen = [];
  while (draft.past.length > 0) {
    draft = undoneDraft(draft);
    seen.push(draft.now);
  }
  expect(seen).toEqual([
    { prompt: 'a fig, cut', steps: 4 },
    { prompt: 'a fig', steps: 4 },
    { prompt: 'a fig' },
    { prompt: '' },
  ]);
});

test('a change of several fields together is its own undo step, which later typing does not join', () => {
  const taken = changedDraft(start, { prompt: 'two owls', steps: 8 }, 0);
  const typed = changedDraft(taken, { prompt: 'two owls!', steps: 8 }, 10);
  expect(undoneDraft(typed).now).toEqual(taken.now);
  expect(undoneDraft(undoneDraft(typed)).now).toEqual(start.now);
});

test('an undone change can be redone until something else is changed', () => {
  const draft = undoneDraft(changedDraft(start, { prompt: 'a' }, 0));
  expect(redoneDraft(draft).now).toEqual({ prompt: 'a' });
  expect(redoneDraft(changedDraft(draft, { prompt: 'b' }, 9000)).now).toEqual({ prompt: 'b' });
});

test('the last 100 changes can be undone', () => {
  let draft = start;
  for (let n = 1; n <= 101; n++) draft = changedDraft(draft, { prompt: String(n) }, n * 1_000);
  expect([draft.past.length, draft.past[0]]).toEqual([100, { prompt: '1' }]);
});

test('an unchanged draft adds no undo step, and undo and redo do nothing without one', () => {
  expect(changedDraft(start, { prompt: '' }, 0)).toBe(start);
  expect(undoneDraft(start).now).toEqual({ prompt: '' });
  expect(redoneDraft(start).now).toEqual({ prompt: '' });
});
