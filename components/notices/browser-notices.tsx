'use client';

import { useNotificationState, wantNotifications, type NotificationState } from '#components/notices/notify';
import { Panel } from '#components/ui/panel';
import { Switch } from '#components/ui/switch';

const WORDS: Record<NotificationState, string> = {
  impossible: 'This browser cannot show notifications here: it needs an https address, and no private window.',
  refused: 'This browser blocks notifications from here. Allow them in the address bar, then reload the page.',
  off: 'When a result is ready or has failed and no page of the studio is visible.',
  on: 'When a result is ready or has failed and no page of the studio is visible.',
};

/** Setting for browser notifications about finished requests. */
export function BrowserNotices() {
  const state = useNotificationState();
  return (
    <Panel title="In this browser">
      <div className="grid gap-2.5">
        <Switch
          label="Notifications of the browser"
          disabled={state !== 'on' && state !== 'off'}
          checked={state === 'on'}
          onChange={({ target }) => void wantNotifications(target.checked)}
        />
        <p className="max-w-prose text-sm text-faint">{WORDS[state]}</p>
      </div>
    </Panel>
  );
}
