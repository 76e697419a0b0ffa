'use client';

import { useSyncExternalStore } from 'react';
import { createSignal } from '#components/ui/store';

// Browser notifications about requests that ended while no page of the studio was visible, if the user turned them on.

const WANTED = 'pomona.notifications';

export type NotificationState = 'impossible' | 'refused' | 'off' | 'on';

const { subscribe, tell } = createSignal();

/** Returns the state of notifications in this browser. The server does not know it and assumes off. */
export const useNotificationState = (): NotificationState =>
  useSyncExternalStore(subscribe, notificationState, () => 'off');

function notificationState(): NotificationState {
  if (!('Notification' in window) || !('serviceWorker' in navigator) || !('locks' in navigator)) return 'impossible';
  if (Notification.permission === 'denied') return 'refused';
  return Notification.permission === 'granted' && localStorage.getItem(WANTED) ? 'on' : 'off';
}

/** Turns notifications on or off in this browser, and asks for permission, which requires a user gesture. */
export async function wantNotifications(wanted: boolean): Promise<void> {
  localStorage.removeItem(WANTED);
  if (wanted && (await Notification.requestPermission()) === 'granted') localStorage.setItem(WANTED, 'yes');
  tell();
}

/** A notification, and the page that it opens. */
export interface News {
  id: string;
  title: string;
  text: string;
  href: string;
  picture?: string | undefined;
}

/** Shows one notification for all news, by the service worker, as phones require. `tag` merges those of other tabs. */
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

/** Name of the lock that every visible tab of the studio holds. */
const IN_SIGHT = 'pomona.in-sight';

async function isInSight(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === IN_SIGHT);
}

/** Lets other tabs know while this one is visible. Returns a function that ends this. */
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
