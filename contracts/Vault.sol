// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {VaultChanges} from "./VaultChanges.sol";
import {VaultRoots} from "./VaultRoots.sol";
import {VaultTree} from "./VaultTree.sol";

/// @title Holds the users' USDT and limits what a stolen or dishonest key can do.
/// @notice Users are paid out of the vault within a daily limit. The operator publishes the root of all balances every
/// hour. If the roots stop, every user can withdraw with a proof against the last root.
contract Vault is VaultRoots {
    using SafeERC20 for IERC20;

    struct Exit {
        bool isProven;
        uint64 claim;
        uint256 collectedUnits;
    }

    enum IdState { Unused, Paid, Voided }

    uint256 public constant SILENCE = 6 days;
    uint256 public constant NOTICE = 24 hours;
    uint256 public constant UNPROVEN_KEPT = 365 days;

    /// Payouts by wallet. Never reset.
    mapping(address wallet => uint64) public paid;
    mapping(bytes32 id => IdState) public ids;

    /// Sums over the wallets that have proven their leaf. `settled` counts the claims that were paid in full.
    uint64 public claims;
    uint64 public provenSums;
    uint64 public settled;
    uint256 public exitedUnits;
    mapping(address wallet => Exit) public exits;

    event Paid(bytes32 indexed id, address indexed to, uint64 amount);
    event Voided(bytes32 indexed id);
    event ExitsCalled(uint64 epoch);
    event ExitsOpened(uint64 epoch);
    event Exited(address indexed wallet, uint64 claim, uint256 units);
    event LimitsSet(uint64 dailyMax, uint64 singleMax);
    event SurplusTaken(address indexed to, uint64 amount);
    event RestTaken(address indexed to, uint256 units);

    error BadAddress();
    error ExitsAreClosed();
    error IdUsed();
    error OverSingleMax();
    error AlreadyCalled();
    error NotCalled();
    error BadProof();
    error NothingDue();
    error ClaimsOpen();

    constructor(
        IERC20 token_,
        address owner_,
        address guardian_,
        address publisher_,
        address payer_,
        uint64 dailyMax_,
        uint64 singleMax_,
        uint64 floor_
    ) VaultRoots(token_, dailyMax_, singleMax_, floor_) VaultChanges(owner_, guardian_, publisher_, payer_) {}

    // Payouts

    /// @notice Pays a withdrawal. Each id is paid at most once.
    function pay(bytes32 id, address to, uint64 micro) external only(payer) running nonReentrant {
        require(ids[id] == IdState.Unused, IdUsed());
        _requireReceiver(to);
        require(micro <= singleMax, OverSingleMax());
        ids[id] = IdState.Paid;
        paid[to] += micro;
        paidTotal += micro;
        _leave(to, micro);
        emit Paid(id, to, micro);
    }

    /// @notice Uses up an id that will never be paid, so that the withdrawal can be refunded.
    function void(bytes32 id) external only(payer) {
        require(ids[id] == IdState.Unused, IdUsed());
        ids[id] = IdState.Voided;
        emit Voided(id);
    }

    // Exits

    /// @notice Gives notice after 6 days without a root.
    function callExits() external {
        require(openedAt == 0, ExitsAreOpen());
        require(epoch != 0, NoRoot());
        // A second notice would start the 24 hours again.
        require(calledAt == 0, AlreadyCalled());
        require(block.timestamp - roots[epoch].takenAt >= SILENCE, TooEarly());
        calledAt = uint64(block.timestamp);
        emit ExitsCalled(epoch);
    }

    /// @notice Opens the exits 24 hours after the notice. A root published in between cancels the notice.
    function openExits() external {
        require(openedAt == 0, ExitsAreOpen());
        require(calledAt != 0, NotCalled());
        require(block.timestamp - calledAt >= NOTICE, TooEarly());
        openedAt = uint64(block.timestamp);
        emit ExitsOpened(epoch);
    }

    /// @notice Pays the leaf's wallet its share. Call again later to collect the rest if the share has risen.
    /// @dev The first call also counts when nothing is due: it raises the share of all others.
    function exit(VaultTree.Leaf calldata leaf, VaultTree.Sibling[] calldata siblings) external nonReentrant {
        require(openedAt != 0, ExitsAreClosed());
        require(leaf.wallet != address(0) && leaf.wallet != address(this), BadAddress());
        (bool isValid, uint64 sum) = _prove(leaf, siblings);
        require(isValid, BadProof());
        Exit storage taken = exits[leaf.wallet];
        bool isFirst = !taken.isProven;
        if (isFirst) {
            (taken.isProven, taken.claim) = (true, _claim(leaf, sum));
            claims += taken.claim;
            provenSums += sum;
        }
        uint256 units = _dueUnits(taken);
        require(isFirst || units > 0, NothingDue());
        if (units > 0) _payExit(leaf.wallet, taken, units);
        emit Exited(leaf.wallet, taken.claim, units);
    }

    /// @notice After a year, and once every proven claim is paid in full, the owner may take the rest.
    function takeRest() external only(owner) nonReentrant {
        require(openedAt != 0, ExitsAreClosed());
        require(block.timestamp - openedAt >= UNPROVEN_KEPT, TooEarly());
        require(settled == claims, ClaimsOpen());
        uint256 units = token.balanceOf(address(this));
        token.safeTransfer(owner, units);
        emit RestTaken(owner, units);
    }

    // Changes that move money or limits. VaultChanges has the others.

    /// @notice A lower limit applies at once. A higher one needs to be accepted. Replaces an earlier proposal.
    function proposeLimits(uint64 dailyMax_, uint64 singleMax_) external {
        _propose(Change.Limits, (uint256(dailyMax_) << 64) | singleMax_);
        if (dailyMax_ < dailyMax) dailyMax = dailyMax_;
        if (singleMax_ < singleMax) singleMax = singleMax_;
        emit LimitsSet(dailyMax, singleMax);
    }

    function acceptLimits() external only(owner) {
        uint256 value = _accept(Change.Limits);
        (dailyMax, singleMax) = (uint64(value >> 64), uint64(value));
        emit LimitsSet(dailyMax, singleMax);
    }

    function proposeSurplus(address to, uint64 micro) external {
        _propose(Change.Surplus, (uint256(uint160(to)) << 64) | micro);
        _requireReceiver(to);
    }

    /// @notice Takes what the vault holds above the last total, within the limit of payouts.
    function acceptSurplus() external only(owner) running nonReentrant {
        uint256 value = _accept(Change.Surplus);
        (address to, uint64 micro) = (address(uint160(value >> 64)), uint64(value));
        require(held() >= uint256(roots[epoch].total) + micro, Shortage());
        _leave(to, micro);
        emit SurplusTaken(to, micro);
    }

    function _requireReceiver(address to) private view {
        require(to != address(0) && to != address(this) && to != address(token), BadAddress());
    }

    /// Payouts that the leaf does not include yet are subtracted from it.
    function _claim(VaultTree.Leaf calldata leaf, uint64 sum) private view returns (uint64) {
        uint64 all = paid[leaf.wallet];
        uint64 later = all > leaf.paid ? all - leaf.paid : 0;
        return sum > later ? sum - later : 0;
    }

    /// Share = pool ÷ (claims proven + sums not proven), at most 1. A proof replaces a sum by a claim, which is never
    /// larger, and exits do not change the pool. So the share can only rise until the sums not proven are dropped.
    function _dueUnits(Exit storage taken) private view returns (uint256) {
        uint256 heldUnits = token.balanceOf(address(this));
        uint256 pool = heldUnits + exitedUnits;
        uint256 owed = claims;
        if (block.timestamp - openedAt < UNPROVEN_KEPT) owed += roots[epoch].total - provenSums;
        uint256 share = pool >= owed * unit ? taken.claim * unit : (taken.claim * pool) / owed;
        return share > taken.collectedUnits ? Math.min(share - taken.collectedUnits, heldUnits) : 0;
    }

    /// Counts what really left the vault, because a token may move another amount than asked for.
    function _payExit(address wallet, Exit storage taken, uint256 units) private {
        uint256 before = token.balanceOf(address(this));
        token.safeTransfer(wallet, units);
        uint256 afterwards = token.balanceOf(address(this));
        uint256 moved = before > afterwards ? before - afterwards : 0;
        uint256 full = taken.claim * unit;
        if (taken.collectedUnits < full && taken.collectedUnits + moved >= full) settled += taken.claim;
        taken.collectedUnits += moved;
        exitedUnits += moved;
    }
}
