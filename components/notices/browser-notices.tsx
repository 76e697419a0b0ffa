'use client';

import { useNotificationState, wantNotifications, type NotificationState } from '#components/notices/notify';
import { Panel } from '#components/ui/panel';
import { Switch } from '#components/ui/switch';

const WORDS: Record<NotificationState, string> = {
  impossible: 'This browser shows no notifications here: it wants an https address, and not a private window.',
  refused: 'This browser was told to show none from here. Allow them at the address bar, then load the page again.',
  off: 'When a result is ready, or could not be made, while no page of the studio is in sight.',
  on: 'When a result is ready, or could not be made, while no page of the studio is in sight.',
};

/** Whether this browser tells of what ended. */
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
