import { log } from '#lib/log';
import { throughOutages } from '#lib/outage';
import { tally } from '#lib/tally';
import { signedHeaders } from '#lib/webhooks/secrets';
import { sendMessage } from '#lib/webhooks/send';
import { settle } from '#lib/webhooks/settle';
import { takeDeliveries, type DueDelivery } from '#lib/webhooks/take-deliveries';
import { keepWorking, type Loop } from '#lib/worker/loop';

/** Maximum concurrent deliveries: to webhooks that accepted their last message, and separately to failing ones. */
const PLACES = { well: 200, failing: 50 };

/** Starts the delivery of webhook messages. Slow or failing receivers do not delay the others. */
export function startWebhooks(): Loop {
  const loops = [sendOff(false, PLACES.well), sendOff(true, PLACES.failing)];
  return {
    wake: () => loops.forEach(loop => loop.wake()),
    stop: async () => void (await Promise.all(loops.map(loop => loop.stop()))),
  };
}

/** Starts a delivery loop. A delivery takes no longer than the drain time of a worker. */
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

/** Sends a message once. If the outcome is not written, a worker sends the message again, with the same id. */
async function attempt(delivery: DueDelivery): Promise<void> {
  const { id, webhookId, url, body, secretVersion, previousUntil } = delivery;
  try {
    const headers = signedHeaders({ id: webhookId, secretVersion, previousUntil }, id, body);
    const made = await sendMessage({ url, headers, body });
    await throughOutages(() => settle(delivery, made), AbortSignal.timeout(WRITE_MS));
  } catch (error) {
    log().warn({ err: error, delivery: id }, 'webhook delivery attempt not recorded');
  }
}

/** Milliseconds for which writing the outcome is retried; after that, the message is sent again. */
const WRITE_MS = 10_000;
