// The fence: what no longer leaves the proxy once an owner has withdrawn consent or an operator has stopped a client or a vehicle.

import { errorCatalogue } from '@vehicle-data/openapi';
import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestLifetime } from '../forward/request-lifetime.js';
import type { Warnings } from '../observability/warnings.js';
import { type ProxyError, proxyError } from '../response/proxy-error.js';
import { BlockNames, brandName, clientName, continueWith } from './block-names.js';
import { type BlockKind, blockText, exemptText, liftText, newTag } from './entries.js';
import { FencedRequest, type Sender } from './fenced-request.js';
import { SharedBlocks } from './shared-blocks.js';

/** A withdrawal that took effect, with the fence that stands for it. */
export interface Withdrawn {
  readonly brand: string;
  /** Empty for all vehicles of the brand or the owner. */
  readonly vin: string;
  /** Keyed hash of an owner who withdrew all vehicles; empty otherwise. */
  readonly owner: string;
  /** Unique for each withdrawal. */
  readonly tag: string;
  /** Identifier of the client that withdrew, or empty. */
  readonly client: string;
  readonly requestId: string;
  /** When the upstream confirmed it, in milliseconds since 1970. */
  readonly timeMs: number;
  /** Whether the fence is in the store, so that every process has it within a second. */
  readonly isKept: () => boolean;
}

interface FenceOptions {
  /** Default: for this process alone. */
  readonly names?: BlockNames;
  /** Default: in the memory of this process. */
  readonly blocks?: SharedBlocks;
  readonly warnings?: Pick<Warnings, 'raise' | 'clear'>;
  /** Called when a fence stands, before the success is sent, which waits for it. Must not fail. Default: nothing. */
  readonly onWithdrawn?: (withdrawn: Withdrawn) => Promise<void>;
  /** Whether there are no timers between requests, so that a request looks at the store itself. Default `false` (no). */
  readonly looksWithRequests?: boolean;
  /** Withdrawals and stops that are kept apart, and vehicles that are exempted from those of a whole brand. Default 500,000. */
  readonly maxEntries?: number;
}

const defaultMaxEntries = 500_000;
/** Exemptions that have room, however few entries may be kept. */
const fewExemptions = 100;
/** Owners whose vehicles are known by their lists, where one token stands for one owner. */
const maxOwners = 10_000;

/** The error of the contract for a vehicle whose owner has to consent first. */
const consentCode = errorCatalogue.find(({ resolution }) => resolution === 'ask-consent')?.code ?? 'internal-error';

const errors: Readonly<Record<BlockKind, () => ProxyError>> = {
  fence: () => proxyError(consentCode, [], [], 'the owner has withdrawn consent'),
  stop: () => proxyError('stopped-by-operator', [], [], 'an operator has stopped the client or the vehicle'),
  full: () => proxyError('overloaded', [], ['retry-after', '60'], 'too many withdrawals; list the vehicle first'),
};

const fullWarning =
  'there are more withdrawals than the fence keeps apart: vehicles of a brand get 503 until a list shows them; lift old ones with vds-proxy resume --withdrawn-before';

/**
 * Keeps the data of a vehicle from leaving once the success of its withdrawal was sent: for every client of the proxy, since consent is the
 * owner's for a vehicle and a brand. Responses under way are cut, later requests are rejected, until a list that was requested after the
 * withdrawal shows the vehicle. Withdrawals themselves are never stopped.
 */
export class Fence {
  readonly blocks: SharedBlocks;
  readonly maxEntries: number;
  readonly #names: BlockNames;
  readonly #warnings: FenceOptions['warnings'];
  readonly #onWithdrawn: FenceOptions['onWithdrawn'];
  readonly #looksWithRequests: boolean;
  readonly #underWay: FencedRequest[] = [];
  readonly #vehiclesOfOwners = new Map<string, readonly string[]>();
  #rechecking: Promise<unknown> = Promise.resolve();
  /** Looks at the store while a response flows, where there are no timers between requests. */
  readonly onTick: ((nowMs: number) => void) | undefined;
  /** What was rejected and cut, by what blocked it, and lists that showed a vehicle that was withdrawn meanwhile. */
  readonly counts = { rejected: { fence: 0, stop: 0, full: 0 }, cut: { fence: 0, stop: 0, full: 0 }, lateLists: 0 };

  constructor(options: FenceOptions = {}) {
    const { names = new BlockNames(), blocks = new SharedBlocks(), looksWithRequests = false } = options;
    this.#names = names;
    this.blocks = blocks;
    this.#warnings = options.warnings;
    this.#onWithdrawn = options.onWithdrawn;
    this.#looksWithRequests = looksWithRequests;
    this.maxEntries = options.maxEntries ?? defaultMaxEntries;
    if (looksWithRequests) this.onTick = (nowMs) => void (blocks.isDue(nowMs) && blocks.freshen(nowMs));
    blocks.onBlock(() => this.#recheck());
  }

  /** Takes part in a request from now on, until it leaves. */
  enter(plan: ForwardPlan, sender: Sender, lifetime: RequestLifetime): FencedRequest {
    const request = new FencedRequest(this, plan, sender, lifetime, this.blocks.set.seq);
    // A withdrawal passes, whatever is blocked.
    if (!request.isWithdrawal) request.place = this.#underWay.push(request) - 1;
    return request;
  }

  leave(request: FencedRequest): void {
    const last = this.#underWay.at(-1);
    if (request.place === -1 || last === undefined) return;
    this.#underWay[request.place] = last;
    last.place = request.place;
    this.#underWay.pop();
    request.place = -1;
  }

  /** The error that a request gets, or `null` when it may pass. */
  rejection(request: FencedRequest): ProxyError | null | Promise<ProxyError | null> {
    const looking = this.#looksWithRequests ? this.blocks.freshen(performance.now()) : null;
    const found = looking === null ? this.#blockOf(request) : looking.then(() => this.#blockOf(request));
    return continueWith(found, (kind) => {
      if (kind === null) return null;
      this.counts.rejected[kind]++;
      return errors[kind]();
    });
  }

  #blockOf(request: FencedRequest): BlockKind | null | Promise<BlockKind | null> {
    const { set } = this.blocks;
    if (set.blocks === 0) return null;
    const { client, plan } = request;
    const names = client === '' ? [] : [clientName(client)];
    if (plan.vehicle === '' || (set.stops === 0 && !set.hasWithdrawals(plan.brand))) return set.blocking(names, '');
    return continueWith(request.vehicleName(this.#names), (vehicle) => {
      const own = [...names, vehicle, brandName(plan.brand)];
      if (!set.hasOwners) return set.blocking(own, vehicle);
      return continueWith(request.ownerName(this.#names), (owner) => set.blocking([...own, owner], vehicle));
    });
  }

  /** Cuts what is under way and blocked by now. */
  #recheck(): void {
    this.#fenceVehiclesOfOwners();
    // From the end: one that is cut can leave at once.
    const checks: unknown[] = [];
    for (let place = this.#underWay.length - 1; place >= 0; place--) {
      const request = this.#underWay[place];
      if (request === undefined) continue;
      const cut = (kind: BlockKind | null) => {
        if (kind === null || request.place === -1) return;
        this.counts.cut[kind]++;
        request.lifetime.stop(errors[kind]());
      };
      checks.push(continueWith(this.#blockOf(request), cut));
    }
    if (checks.some((check) => check instanceof Promise)) this.#rechecking = Promise.all(checks);
  }

  /** An owner who has withdrawn all is known by a token; the vehicles, by the lists that were requested with it. */
  #fenceVehiclesOfOwners(): void {
    const { set } = this.blocks;
    if (!set.hasOwners) return;
    for (const [owner, vehicles] of this.#vehiclesOfOwners) {
      if (set.blocking([owner], '') === null) continue;
      this.#vehiclesOfOwners.delete(owner);
      const tag = newTag(Date.now());
      void this.blocks.add(vehicles.map((vehicle, index) => blockText('fence', `${tag}.${index}`, vehicle)));
    }
  }

  /** A withdrawal has succeeded. Resolves when its success may be sent: what it concerns is cut, and kept where replicas see it. */
  async withdrawn(request: FencedRequest): Promise<void> {
    const timeMs = Date.now();
    const { brand, vehicle } = request.plan;
    const { set } = this.blocks;
    let name = brandName(brand);
    if (vehicle !== '') name = await request.vehicleName(this.#names);
    else if (request.token !== '') name = await request.ownerName(this.#names);
    const tag = newTag(timeMs);
    const texts =
      set.blocks < this.maxEntries
        ? [blockText('fence', tag, name), ...set.known(name, '', set.seq).map((older) => liftText(tag, older.tag))]
        : this.#fillUp(brand, tag);
    const kept = this.blocks.add(texts);
    await this.#rechecking;
    await kept;
    const owner = name.startsWith('o/') ? (name.split('/').at(-1) ?? '') : '';
    const isKept = () => texts.every((text) => this.blocks.isKept(text));
    const { client, requestId } = request;
    await this.#onWithdrawn?.({ brand, vin: vehicle, owner, tag, client, requestId, timeMs, isKept });
  }

  /** There is no room to keep withdrawals apart: all vehicles of the brand wait until a list shows them. Nothing is forgotten. */
  #fillUp(brand: string, tag: string): readonly string[] {
    this.#warnings?.raise('fence-full', fullWarning);
    const name = brandName(brand);
    const older = this.blocks.set.tags(['full'], name, Number.POSITIVE_INFINITY);
    return [blockText('full', tag, name), ...older.map((each) => liftText(tag, each))];
  }

  /** Whether a withdrawal of the brand took effect after a list was requested. */
  isLate({ plan, seq }: FencedRequest): boolean {
    return this.blocks.set.hasWithdrawals(plan.brand, seq);
  }

  isWanted({ plan, learnsOwner }: FencedRequest): boolean {
    return learnsOwner || this.blocks.set.hasWithdrawals(plan.brand);
  }

  async showsWithdrawn(request: FencedRequest, vins: readonly string[]): Promise<boolean> {
    const { brand } = request.plan;
    const wide = [brandName(brand), await request.ownerName(this.#names)];
    for (const vin of vins) {
      const vehicle = await this.#names.vehicle(brand, vin);
      if (!this.blocks.set.isWithdrawn([vehicle, ...wide], vehicle, request.seq)) continue;
      this.counts.lateLists++;
      return true;
    }
    return false;
  }

  /** The list of a request is complete: what it shows shares again. Only blocks end that were known before the list was requested. */
  async listed(request: FencedRequest, vins: readonly string[]): Promise<void> {
    const { set } = this.blocks;
    const { brand } = request.plan;
    const owner = await request.ownerName(this.#names);
    const texts: string[] = [];
    const exempted = new Set<string>();
    const vehicles: string[] = [];
    const lift = newTag(Date.now());
    for (const vin of vins) {
      const vehicle = await this.#names.vehicle(brand, vin);
      vehicles.push(vehicle);
      for (const { tag } of set.known(vehicle, '', request.seq)) texts.push(liftText(lift, tag));
      for (const { tag } of [
        ...set.known(brandName(brand), vehicle, request.seq),
        ...set.known(owner, vehicle, request.seq),
      ])
        if (set.exemptions + exempted.size < this.maxEntries + fewExemptions) exempted.add(exemptText(tag, vehicle));
    }
    if (request.learnsOwner) this.#learn(owner, vehicles);
    if (texts.length + exempted.size > 0) void this.blocks.add([...texts, ...exempted]);
    if (set.blocks < this.maxEntries) this.#warnings?.clear('fence-full');
  }

  #learn(owner: string, vehicles: readonly string[]): void {
    this.#vehiclesOfOwners.delete(owner);
    this.#vehiclesOfOwners.set(owner, vehicles.slice(0, 1000));
    const [oldest] = this.#vehiclesOfOwners.keys();
    if (this.#vehiclesOfOwners.size > maxOwners && oldest !== undefined) this.#vehiclesOfOwners.delete(oldest);
  }
}
