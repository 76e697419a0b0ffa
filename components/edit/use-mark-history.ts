import { useState } from 'react';
import type { Mark } from '#components/edit/mask';
import { useUndoKeys } from '#components/ui/use-undo-keys';

export type MarkHistory = ReturnType<typeof useMarkHistory>;

/** Adds marks, with undo and redo by functions and by Ctrl+Z and Ctrl+Shift+Z. */
export function useMarkHistory(marks: readonly Mark[], onMarks: (marks: readonly Mark[]) => void) {
  const [undone, setUndone] = useState<readonly Mark[]>([]);

  function add(mark: Mark) {
    setUndone([]);
    onMarks([...marks, mark]);
  }
  function undo() {
    if (marks.length === 0) return;
    setUndone([...marks.slice(-1), ...undone]);
    onMarks(marks.slice(0, -1));
  }
  function redo() {
    if (undone.length === 0) return;
    setUndone(undone.slice(1));
    onMarks([...marks, ...undone.slice(0, 1)]);
  }
  useUndoKeys(undo, redo);
  return { add, undo, redo, canUndo: marks.length > 0, canRedo: undone.length > 0 };
}
