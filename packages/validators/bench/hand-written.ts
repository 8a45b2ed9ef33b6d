// The limit that the generated code is measured against: loops written by hand for exactly these two payloads, without any
// report of what is wrong. Only a benchmark may state ranges and names of the contract by hand.
type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const startTime = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;
const dateTime = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?Z$/;

// One function per array on purpose: a shared one would see several kinds of elements and run two to four times slower.
const odometer = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(typeof a[i] === 'number' && a[i] >= 0 && a[i] <= 1677721.4)) return false;
  return true;
};
const acceleration = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(typeof a[i] === 'number' && a[i] >= -4.177 && a[i] <= 4.177)) return false;
  return true;
};
const yaw = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(typeof a[i] === 'number' && a[i] >= -40.95 && a[i] <= 40.95)) return false;
  return true;
};
const angle = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(typeof a[i] === 'number' && a[i] >= -3276.8 && a[i] <= 3276.7)) return false;
  return true;
};
const rotation = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(typeof a[i] === 'number' && a[i] >= 0 && a[i] <= 1016)) return false;
  return true;
};
const voltage = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(typeof a[i] === 'number' && a[i] >= 0 && a[i] <= 6553)) return false;
  return true;
};
const oil = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(typeof a[i] === 'number' && a[i] >= 0 && a[i] <= 150.5)) return false;
  return true;
};
const rpm = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(typeof a[i] === 'number' && a[i] >= 0 && a[i] <= 16383.5)) return false;
  return true;
};
const ignition = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(a[i] === 'on' || a[i] === 'off')) return false;
  return true;
};
const usm = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) {
    const v = a[i];
    if (!(v === 'none' || v === 'off' || v === 'warning' || v === 'assist' || v === 'invalid')) return false;
  }
  return true;
};
const usm2 = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) {
    const v = a[i];
    const known =
      v === 'none' || v === 'off' || v === 'information' || v === 'warning' || v === 'assist' || v === 'invalid';
    if (!known) return false;
  }
  return true;
};
const belt1 = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(a[i] === 'belted' || a[i] === 'unbelted')) return false;
  return true;
};
const belt2 = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) if (!(a[i] === 'belted' || a[i] === 'unbelted')) return false;
  return true;
};
const gear = (a: unknown) => {
  if (!Array.isArray(a)) return false;
  for (let i = 0; i < a.length; i++) {
    const v = a[i];
    if (!(v === 'p' || v === 'r' || v === 'n' || v === 'd')) return false;
  }
  return true;
};

const meta = (m: unknown) =>
  isObject(m) &&
  Number.isInteger(m['code']) &&
  typeof m['message'] === 'string' &&
  (m['success'] === 'true' || m['success'] === true) &&
  typeof m['timestamp'] === 'string' &&
  dateTime.test(m['timestamp']) &&
  typeof m['requestId'] === 'string';
const head = (t: unknown): t is Json =>
  isObject(t) &&
  typeof t['triggerStartTime'] === 'string' &&
  startTime.test(t['triggerStartTime']) &&
  typeof t['tripLength'] === 'number' &&
  Number.isInteger(t['tripLength']) &&
  t['tripLength'] >= 0;

export function drivingByHand(response: unknown): boolean {
  if (
    !(
      isObject(response) &&
      isObject(response['data']) &&
      Array.isArray(response['data']['trips']) &&
      meta(response['meta'])
    )
  ) {
    return false;
  }
  for (const t of response['data']['trips'] as unknown[]) {
    const ok =
      head(t) &&
      isObject(t['ignition']) &&
      ignition(t['ignition']['status']) &&
      isObject(t['odometer']) &&
      odometer(t['odometer']['value']) &&
      isObject(t['acceleration']) &&
      acceleration(t['acceleration']['longitudinal']) &&
      isObject(t['angularVelocity']) &&
      yaw(t['angularVelocity']['yaw']) &&
      isObject(t['isla']) &&
      usm(t['isla']['optionUsm']) &&
      usm2(t['isla']['optionUsm2']) &&
      isObject(t['seatbelt']) &&
      belt1(t['seatbelt']['assistance']) &&
      belt2(t['seatbelt']['driver']) &&
      isObject(t['steeringWheel']) &&
      angle(t['steeringWheel']['angle']) &&
      rotation(t['steeringWheel']['rotationSpeed']) &&
      isObject(t['transmission']) &&
      gear(t['transmission']['gear']);
    if (!ok) return false;
  }
  return true;
}

export function powertrainByHand(response: unknown): boolean {
  if (
    !(
      isObject(response) &&
      isObject(response['data']) &&
      Array.isArray(response['data']['trips']) &&
      meta(response['meta'])
    )
  ) {
    return false;
  }
  for (const t of response['data']['trips'] as unknown[]) {
    const ok =
      head(t) &&
      isObject(t['batteries']) &&
      isObject(t['batteries']['hv']) &&
      voltage(t['batteries']['hv']['voltage']) &&
      isObject(t['engine']) &&
      oil(t['engine']['oilTemperature']) &&
      rpm(t['engine']['rpm']);
    if (!ok) return false;
  }
  return true;
}
