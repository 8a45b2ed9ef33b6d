// One request between the fence and the forwarder: what the fence has to know of it, and the writer that reads its response along.
import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestLifetime } from '../forward/request-lifetime.js';
import type { OpenRecord } from '../observability/observer.js';
import type { ProxyError } from '../response/proxy-error.js';
import { headerValue } from '../response/response-headers.js';
import type { ResponseWriter } from '../response/response-writer.js';
import { type BlockNames, brandName, continueWith } from './block-names.js';
import { isList, isWithdrawal } from './consent-operations.js';
import { ListResponse, type ReadResponse, WithdrawalResponse } from './held-responses.js';

/** What a request asks of its fence. */
interface RequestFence {
  /** The error that a request gets, or `null` when it may pass. */
  rejection(request: FencedRequest): ProxyError | null | Promise<ProxyError | null>;
  /** A withdrawal has succeeded. Resolves when its success may be sent. */
  withdrawn(request: FencedRequest): Promise<void>;
  /** Whether a withdrawal of the brand took effect after a list was requested. */
  isLate(request: FencedRequest): boolean;
  isWanted(request: FencedRequest): boolean;
  showsWithdrawn(request: FencedRequest, vins: readonly string[]): Promise<boolean>;
  /** The list of a request is complete. */
  listed(request: FencedRequest, vins: readonly string[]): Promise<void>;
  leave(request: FencedRequest): void;
}

/** Who sent a request. */
export interface Sender {
  /** Identifier of the client, or empty. */
  readonly client: string;
  readonly requestId: string;
}

/** What the fence knows of one request. */
export class FencedRequest {
  readonly plan: ForwardPlan;
  readonly client: string;
  readonly requestId: string;
  readonly lifetime: RequestLifetime;
  /** What was known when it was about to be sent. */
  readonly seq: number;
  readonly isWithdrawal: boolean;
  /** The access token of one owner; empty where the proxy's own stands for all. */
  readonly token: string;
  /** Where it is among those under way; -1 when it is not. */
  place = -1;
  /** Whether its list tells whose vehicles these are. */
  learnsOwner = false;
  readonly #fence: RequestFence;
  #vehicleName = '';
  #ownerName = '';
  #read: ReadResponse | null = null;

  constructor(fence: RequestFence, plan: ForwardPlan, sender: Sender, lifetime: RequestLifetime, seq: number) {
    this.#fence = fence;
    this.plan = plan;
    this.client = sender.client;
    this.requestId = sender.requestId;
    this.lifetime = lifetime;
    this.seq = seq;
    this.isWithdrawal = isWithdrawal(plan.operationId);
    this.token = plan.token === 'forward' ? (headerValue(plan.request.headers, 'authorization') ?? '') : '';
  }

  rejection(): ProxyError | null | Promise<ProxyError | null> {
    return this.isWithdrawal ? null : this.#fence.rejection(this);
  }

  vehicleName(names: BlockNames): string | Promise<string> {
    if (this.#vehicleName !== '') return this.#vehicleName;
    return continueWith(names.vehicle(this.plan.brand, this.plan.vehicle), (name) => {
      this.#vehicleName = name;
      return name;
    });
  }

  ownerName(names: BlockNames): string | Promise<string> {
    if (this.token === '') return brandName(this.plan.brand);
    if (this.#ownerName !== '') return this.#ownerName;
    return continueWith(names.owner(this.plan.brand, this.token), (name) => {
      this.#ownerName = name;
      return name;
    });
  }

  /** The writer of the response, which reads along where the fence has to know it. @param learnsOwner whether all of an owner can be withdrawn */
  writer(out: ResponseWriter, record: OpenRecord, learnsOwner: boolean): ResponseWriter {
    const fence = this.#fence;
    if (this.isWithdrawal)
      this.#read = new WithdrawalResponse(
        out,
        () => fence.withdrawn(this),
        () => this.lifetime.hasLeft,
      );
    else if (isList(this.plan.operationId)) {
      this.learnsOwner = learnsOwner && this.token !== '';
      const request = this;
      this.#read = new ListResponse(out, record, {
        get hasLeft() {
          return request.lifetime.hasLeft;
        },
        get isLate() {
          return fence.isLate(request);
        },
        get isWanted() {
          return fence.isWanted(request);
        },
        showsWithdrawn: (vins) => fence.showsWithdrawn(request, vins),
        noted: (vins) => fence.listed(request, vins),
      });
    }
    return this.#read ?? out;
  }

  /** The response of the upstream has ended: takes the steps that follow, before the client has the end of it. */
  settle(): Promise<void> | null {
    return this.#read?.settle() ?? null;
  }

  leave(): void {
    this.#fence.leave(this);
  }
}
