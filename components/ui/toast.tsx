'use client';

import { useEffect, useState } from 'react';
import { createStore } from '#components/ui/store';
import { useIdle } from '#components/ui/use-idle';
import type { Notice, Shown, ToastList } from '#components/ui/toast-list';

const shown = createStore<readonly Shown[]>([]);
let next = 1;

/** Tells something that happened elsewhere. At most four at a time, the oldest go first. Returns a way to take it back, which says whether it was still there. */
export function toast(notice: Notice): () => boolean {
  const id = next++;
  shown.set([...shown.get(), { ...notice, id }].slice(-4));
  return () => dismiss(id);
}

function dismiss(id: number): boolean {
  const others = shown.get().filter(notice => notice.id !== id);
  const wasShown = others.length < shown.get().length;
  if (wasShown) shown.set(others);
  return wasShown;
}

/** Shows what `toast` tells; the layout holds one. F8 reaches it from the keyboard. */
export function Toaster() {
  const notices = shown.useValue();
  const [List, setList] = useState<typeof ToastList>();
  const isIdle = useIdle();
  // most visits never see one, but one may have to tell that the connection is gone: what draws them comes before it is needed
  useEffect(() => {
    // when it does not come, the next notice asks again, or the network that is back
    const load = () =>
      void import('#components/ui/toast-list').then(list => setList(() => list.ToastList)).catch(() => {});
    if (notices.length || isIdle) load();
    addEventListener('online', load);
    return () => removeEventListener('online', load);
  }, [notices, isIdle]);
  return notices.length > 0 && List && <List notices={notices} onDismiss={dismiss} />;
}
