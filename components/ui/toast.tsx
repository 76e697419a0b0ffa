'use client';

import { useEffect, useState } from 'react';
import { createStore } from '#components/ui/store';
import { useIdle } from '#components/ui/use-idle';
import type { Notice, Shown, ToastList } from '#components/ui/toast-list';

const shown = createStore<readonly Shown[]>([]);
let next = 1;

/**
 * Shows a notice about something that happened elsewhere. At most four are shown; the oldest are removed first. Returns
 * a function that removes the notice and tells whether it was still shown.
 */
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

/** Renders the notices of `toast`; the layout has one. F8 moves the focus to it. */
export function Toaster() {
  const notices = shown.useValue();
  const [List, setList] = useState<typeof ToastList>();
  const isIdle = useIdle();
  // most visits show no toast, but one may have to report a lost connection, so the code is loaded before it is needed
  useEffect(() => {
    // if loading fails, it is retried on the next notice or when the network is back
    const load = () =>
      void import('#components/ui/toast-list').then(list => setList(() => list.ToastList)).catch(() => {});
    if (notices.length || isIdle) load();
    addEventListener('online', load);
    return () => removeEventListener('online', load);
  }, [notices, isIdle]);
  return notices.length > 0 && List && <List notices={notices} onDismiss={dismiss} />;
}
