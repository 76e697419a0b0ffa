import { log } from '#lib/log';
import { throughOutages } from '#lib/outage';
import { tally } from '#lib/tally';
import { signedHeaders } from '#lib/webhooks/secrets';
import { sendMessage } from '#lib/webhooks/send';
import { settle } from '#lib/webhooks/settle';
import { takeDeliveries, type DueDelivery } from '#lib/webhooks/take-deliveries';
import { keepWorking, type Loop } from '#lib/worker/loop';

/** Messages under way at a time: those to webhooks that took the last one, and in places of their own those to others. */
const PLACES = { well: 200, failing: 50 };

/** Sends what webhooks are to be told. Nobody waits for what somebody else's server does. */
export function startWebhooks(): Loop {
  const loops = [sendOff(false, PLACES.well), sendOff(true, PLACES.failing)];
  return {
    wake: () => loops.forEach(loop => loop.wake()),
    stop: async () => void (await Promise.all(loops.map(loop => loop.stop()))),
  };
}

/** None takes longer than a process has to drain. */
function sendOff(failing: boolean, places: number): Loop {
  const underWay = new Map<string, number>();
  const ofAccount = new Map<string, number>();
  const take = (most: number) => takeDeliveries({ failing, most, underWay, ofAccount });
  return keepWorking(failing ? 'failing webhooks' : 'webhooks', places, take, send);

  async function send(delivery: DueDelivery): Promise<void> {
    tally(underWay, delivery.lane, 1);
    tally(ofAccount, delivery.accountId, 1);
    try {
      await attempt(delivery);
    } finally {
      tally(underWay, delivery.lane, -1);
      tally(ofAccount, delivery.accountId, -1);
    }
  }
}

/** One that is cut off here, or not written down, is sent again by whoever finds it: with the same id. */
async function attempt(delivery: DueDelivery): Promise<void> {
  const { id, webhookId, url, body, secretVersion, previousUntil } = delivery;
  try {
    const headers = signedHeaders({ id: webhookId, secretVersion, previousUntil }, id, body);
    const made = await sendMessage({ url, headers, body });
    await throughOutages(() => settle(delivery, made), AbortSignal.timeout(WRITE_MS));
  } catch (error) {
    log().warn({ err: error, delivery: id }, 'how a webhook went was not written');
  }
}

/** So long a process tries to write down how it went; then the message is sent again. */
const WRITE_MS = 10_000;
