import { takeStripeEvent } from '#lib/accounts/payments/stripe-events';
import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { MAX_BODY_BYTES, readText } from '#lib/http/read-json';

/** Stripe's webhook, authenticated by the signature over the exact bytes of the body. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: answer(async request => {
    await takeStripeEvent(await readText(request, MAX_BODY_BYTES), request.headers.get('stripe-signature'));
    return Response.json({ received: true });
  }),
});
