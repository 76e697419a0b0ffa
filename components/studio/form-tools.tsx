'use client';

import { Bookmark, ChefHat, Code, Grid3x3, Redo2, RotateCcw, Undo2 } from 'lucide-react';
import { Button } from '#components/ui/button';

type Press = () => void;

/** Actions on the draft as a whole. */
export function FormTools({
  onUndo,
  onRedo,
  onReset,
  onPresets,
  onMatrix,
  onRecipes,
  onCode,
}: {
  /** False while there is nothing to undo. */
  onUndo: Press | false;
  onRedo: Press | false;
  onReset: Press;
  onPresets: Press;
  onMatrix: Press;
  onRecipes: Press;
  onCode: Press;
}) {
  const tools = [
    { name: 'Undo', keys: 'Control+Z', icon: Undo2, onPress: onUndo },
    { name: 'Redo', keys: 'Control+Shift+Z', icon: Redo2, onPress: onRedo },
    { name: 'Reset', icon: RotateCcw, onPress: onReset },
    { name: 'Presets', icon: Bookmark, onPress: onPresets },
    { name: 'Matrix', icon: Grid3x3, onPress: onMatrix },
    { name: 'Recipes', icon: ChefHat, onPress: onRecipes },
    { name: 'Code', icon: Code, onPress: onCode },
  ];
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- these are not form fields, so no fieldset
      role="group"
      aria-label="Draft"
      className="-mx-2 grid grid-cols-[repeat(auto-fill,minmax(max(5rem,30%),1fr))] justify-items-start"
    >
      {tools.map(({ name, keys, icon: Icon, onPress }) => (
        <Button
          key={name}
          tone="ghost"
          size="sm"
          // not `disabled`, which would lose the focus when the last step is undone or redone
          aria-disabled={!onPress}
          aria-keyshortcuts={keys}
          onClick={onPress || undefined}
          className="gap-1 px-2 text-xs font-normal text-faint"
        >
          <Icon className="size-3.5" aria-hidden /> {name}
        </Button>
      ))}
    </div>
  );
}
