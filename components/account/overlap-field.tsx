import { Field } from '#components/ui/field';
import { Select } from '#components/ui/select';

const OVERLAPS = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: 'For an hour' },
  { value: '24', label: 'For a day' },
  { value: '168', label: 'For a week' },
];

/** Number of hours for which a secret stays valid beside its replacement. */
export const OverlapField = ({
  label,
  hours,
  onChange,
}: {
  label: string;
  hours: number;
  onChange: (hours: number) => void;
}) => (
  <Field label={label}>
    <Select options={OVERLAPS} value={hours} onChange={event => onChange(Number(event.target.value))} />
  </Field>
);
