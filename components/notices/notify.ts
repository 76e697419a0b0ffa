'use client';

import { useSyncExternalStore } from 'react';
import { createSignal } from '#components/ui/store';

// Notifications of the browser: of what ended while no page of the studio was in sight, where somebody asked for them.

const WANTED = 'pomona.notifications';

export type NotificationState = 'impossible' | 'refused' | 'off' | 'on';

const { subscribe, tell } = createSignal();

/** Whether this browser tells; the server does not know, and takes it for off. */
export const useNotificationState = (): NotificationState =>
  useSyncExternalStore(subscribe, notificationState, () => 'off');

function notificationState(): NotificationState {
  if (!('Notification' in window) || !('serviceWorker' in navigator) || !('locks' in navigator)) return 'impossible';
  if (Notification.permission === 'denied') return 'refused';
  return Notification.permission === 'granted' && localStorage.getItem(WANTED) ? 'on' : 'off';
}

/** Switches them on or off in this browser, which is asked for its leave; that only a press may do. */
export async function wantNotifications(wanted: boolean): Promise<void> {
  localStorage.removeItem(WANTED);
  if (wanted && (await Notification.requestPermission()) === 'granted') localStorage.setItem(WANTED, 'yes');
  tell();
}

/** What is told, and the page that it leads to. */
export interface News {
  id: string;
  title: string;
  text: string;
  href: string;
  picture?: string | undefined;
}

/** Tells it by the service worker, the only way on phones. What several tabs tell is shown once, and many things as one. */
export async function notify(all: readonly News[]): Promise<void> {
  const [first] = all;
  if (!first || notificationState() !== 'on' || (await isInSight())) return;
  const news = all.length > 1 ? { ...first, title: `${all.length} generations have ended`, href: '/history' } : first;
  const worker = await navigator.serviceWorker.ready;
  await worker.showNotification(news.title, {
    body: news.text,
    tag: news.id,
    icon: news.picture ?? '/icons/icon-192.png',
    data: { href: news.href },
  });
}

/** Held by every tab of the studio that is in sight. */
const IN_SIGHT = 'pomona.in-sight';

async function isInSight(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === IN_SIGHT);
}

/** Lets the other tabs know while this one is in sight; ends with what it returns. */
export function showSight(): () => void {
  if (!('locks' in navigator)) return () => {};
  let release = () => {};
  const look = () => {
    release();
    if (document.visibilityState === 'visible') release = hold();
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    release();
  };
}

function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(IN_SIGHT, { mode: 'shared' }, () => promise);
  return resolve;
}
