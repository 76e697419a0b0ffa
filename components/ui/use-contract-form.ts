'use client';

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useForm, type DefaultValues, type FieldValues, type Path, type Resolver } from 'react-hook-form';
import type { z } from 'zod';
import type { ApiError } from '#client/errors';

/**
 * A form of one operation: checked with the contract's schema before it is sent; what the server refuses stands at its
 * field, or in `refusal` when it belongs to none.
 */
export function useContractForm<In extends FieldValues, Out, Answer>({
  schema,
  defaultValues,
  send,
  done,
  onDirty,
}: {
  /** Loaded when somebody begins to fill the form in: most pages are left without that. */
  schema: () => Promise<z.ZodType<Out, In>>;
  defaultValues: DefaultValues<In>;
  /** `changed` are those of the values that differ from the defaults. */
  send: (values: Out, changed: Partial<Out>) => Promise<Answer>;
  done: (answer: Answer) => void;
  /** Told whether there is something to lose, for a dialog that stands around the form. */
  onDirty?: ((is: boolean) => void) | undefined;
}) {
  const form = useForm<In, unknown, Out>({
    resolver: useResolver(schema),
    defaultValues,
    shouldFocusError: false,
  });
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const { errors, isSubmitting, isDirty, dirtyFields, submitCount } = form.formState;
  const sent = useRef<HTMLFormElement>(null);
  // what is wrong may be out of sight
  useEffect(() => {
    if (submitCount) sent.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [submitCount]);
  // a press that follows the typing at once finds the dialog told
  useLayoutEffect(() => {
    onDirty?.(isDirty);
    return () => onDirty?.(false);
  }, [isDirty, onDirty]);

  const submit = form.handleSubmit(async values => {
    setRefusal(null);
    try {
      const changed = Object.entries(values as object).filter(([name]) => name in dirtyFields);
      const answer = await send(values, Object.fromEntries(changed) as Partial<Out>);
      done(answer);
    } catch (error) {
      const refused = error as ApiError;
      const known = (refused.issues ?? []).flatMap(issue => {
        const name = issue.path.split('/')[1];
        // at its field it goes by that field's name
        const message = issue.message.replace(`${name} must be`, 'Must be');
        return name && name in form.getValues() ? [{ name: name as Path<In>, message }] : [];
      });
      for (const { name, message } of known) form.setError(name, { type: 'server', message });
      if (!known.length) setRefusal(refused);
    }
  });

  /** What is wrong with a field, as a sentence. */
  const problem = (name: Path<In>): string | undefined => {
    const error = errors[name];
    if (typeof error?.message !== 'string') return undefined;
    if (error.type === 'server') return error.message;
    return form.getValues(name) === '' ? 'Fill this in.' : `Must be ${error.message}.`;
  };

  /** For an `Input` that takes a whole number; left empty, the value is null. */
  const wholeNumber = (name: Path<In>, min = 0) => ({
    type: 'number' as const,
    min,
    step: 1,
    inputMode: 'numeric' as const,
    ...form.register(name, { setValueAs: asNumber }),
  });

  return {
    ...form,
    wholeNumber,
    submit: (event: React.SubmitEvent<HTMLFormElement>) => {
      sent.current = event.currentTarget;
      void submit(event);
    },
    refusal,
    problem,
    busy: isSubmitting,
    dirty: isDirty,
  };
}

function useResolver<In extends FieldValues, Out>(schema: () => Promise<z.ZodType<Out, In>>) {
  const load = useRef(schema);
  useEffect(() => {
    load.current = schema;
  });
  return useCallback<Resolver<In, unknown, Out>>(async (...given) => {
    const parts = await Promise.all([
      import('@hookform/resolvers/zod'),
      import('#lib/contract/words'),
      load.current(),
    ]).catch(() => null);
    // they did not come: the server checks all the same, or cannot be reached, which is told
    if (!parts) return { values: given[0] as unknown as Out, errors: {} };
    const [{ zodResolver }, { allowedBy }, loaded] = parts;
    return zodResolver(loaded, { error: allowedBy })(...given);
  }, []);
}

const asNumber = (value: unknown): number | null =>
  value === '' || value === null || value === undefined ? null : Number(value);

/** For `register`: an empty field is null. */
export const asText = (value: unknown): unknown => (value === '' ? null : value);
