'use client';

import { useEffect, useState } from 'react';
import { ArrowUpRight, Laptop } from 'lucide-react';
import { endIn, ExpiryInput } from '#components/account/expiry-input';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Checkbox } from '#components/ui/checkbox';
import { Field } from '#components/ui/field';
import { GemAmount } from '#components/ui/gem-amount';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { useContractForm } from '#components/ui/use-contract-form';
import { FieldError } from '#components/ui/field-error';
import type { ApiError } from '#client/errors';
import { studioApi } from '#lib/client/studio-api';
import { actFor } from '#lib/client/sender';
import { NO_SCOPE, SCOPE_WORDS, type Scope } from '#lib/scopes';

/** Default monthly budget in gems, and default lifetime in days; the user can change both. */
const BUDGET = 100;
const DAYS = 90;

interface ConsentQuestion {
  name: string;
  returnsTo: string;
  scopes: Scope[];
}

/** Asks the user to allow or refuse an app, with its permissions, budget and lifetime. */
export function ConsentForm({
  uid,
  account,
  question,
  balance,
}: {
  uid: string;
  /** Id of the account that is asked, so that another account that signs in meanwhile cannot answer. */
  account: string;
  question: ConsentQuestion;
  /** Balance of the account, in gems. */
  balance: number;
}) {
  useEffect(() => actFor(account), [account]);
  const [isRefusing, setRefusing] = useState(false);
  /** The answer that was sent. The page stays open when the answer goes to a program on this machine. */
  const [answered, setAnswered] = useState<'yes' | 'no'>();
  /** Error of a refusal that was not accepted. */
  const [unheard, setUnheard] = useState<ApiError | null>(null);
  const tell = (body: Parameters<typeof studioApi.answerConsent>[0]['body']) => {
    // the error belongs to the previous answer
    setUnheard(null);
    return studioApi.answerConsent({ params: { uid }, body });
  };
  const { wholeNumber, watch, setValue, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/api-key-schemas')).given,
    defaultValues: { scopes: question.scopes, monthly_budget: BUDGET, expires_at: endIn(DAYS) },
    send: given => tell({ given }),
    done: ({ redirect_to }) => {
      setAnswered('yes');
      location.assign(redirect_to);
    },
  });
  const refuse = async () => {
    setRefusing(true);
    try {
      const { redirect_to } = await tell({ given: null });
      setAnswered('no');
      location.assign(redirect_to);
    } catch (error) {
      setRefusing(false);
      setUnheard(error as ApiError);
    }
  };
  const scopes = watch('scopes');
  if (answered === 'yes') {
    return (
      <Alert tone="good" title="Allowed. Go back to the app.">
        If the app does not notice, start again there.
      </Alert>
    );
  }
  if (answered === 'no') return <Alert title="Not allowed.">The app got no access. You can close this page.</Alert>;
  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      <Refused refusal={unheard ?? refusal} />
      <Destination returnsTo={question.returnsTo} />
      <fieldset className="grid gap-2">
        <legend className="pb-1.5 text-sm font-medium">It may</legend>
        {question.scopes.map(scope => (
          <Checkbox
            key={scope}
            label={SCOPE_WORDS[scope]}
            checked={scopes.includes(scope)}
            onChange={({ target }) =>
              setValue(
                'scopes',
                question.scopes.filter(one => (one === scope ? target.checked : scopes.includes(one))),
              )
            }
          />
        ))}
        <FieldError>{problem('scopes') && NO_SCOPE}</FieldError>
      </fieldset>
      <Field
        label="Monthly budget"
        aside={
          <>
            you have <GemAmount gems={balance} />
          </>
        }
        error={problem('monthly_budget')}
        hint="The most gems it may spend in a calendar month (UTC). Leave empty for no limit."
      >
        <Input {...wholeNumber('monthly_budget')} />
      </Field>
      <ExpiryInput
        initial={`${DAYS}`}
        error={problem('expires_at')}
        onChange={value => setValue('expires_at', value)}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-3">
        <Button size="lg" busy={isRefusing} disabled={busy} onClick={() => void refuse()}>
          Do not allow
        </Button>
        <Button type="submit" tone="primary" size="lg" busy={busy} disabled={isRefusing}>
          Allow
        </Button>
      </div>
    </form>
  );
}

/** Shows where the answer is sent, which is the one fact that an app cannot fake. */
function Destination({ returnsTo }: { returnsTo: string }) {
  const isHere = returnsTo.endsWith(':') || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(returnsTo);
  const Icon = isHere ? Laptop : ArrowUpRight;
  return (
    <p className="flex gap-3 rounded-md border bg-raised p-4 text-sm">
      <Icon className="mt-0.5 size-4 shrink-0 text-soft" aria-hidden />
      {isHere ? (
        <span>You give access to a program on this machine. Allow it only if you have just asked for it there.</span>
      ) : (
        <span>
          You give access to <strong className="font-medium wrap-anywhere">{returnsTo}</strong>. Allow it only if you
          know this site and have just come from there.
        </span>
      )}
    </p>
  );
}
