// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Checkpoints} from "@openzeppelin/contracts/utils/structs/Checkpoints.sol";
import {VaultChanges} from "./VaultChanges.sol";
import {Leaf, Sibling, VaultTree} from "./VaultTree.sol";

/// @title Holds the users' USDT and limits what a stolen or dishonest key can do.
/// @notice Users are paid out of the vault within a daily limit. The operator publishes the root of all balances every
/// hour. If the roots stop, every user can withdraw with a proof against the last root.
/// @dev Amounts are micro-USDT (6 decimals) unless a name says `units`. Units are the token's smallest amounts.
contract Vault is VaultChanges, Pausable, ReentrancyGuard {
    using Checkpoints for Checkpoints.Trace208;
    using SafeERC20 for IERC20Metadata;

    enum IdState { Unused, Paid, Voided }

    /// `height` counts the roots up to this one that are not struck. A struck root loses its height to the next root.
    struct Root {
        uint64 total;
        uint64 takenAt;
        uint64 publishedAt;
        uint64 height;
    }

    struct Exit {
        bool isProven;
        uint64 claim;
        uint256 collectedUnits;
    }

    IERC20Metadata public immutable token;
    /// Token units in one micro-USDT.
    uint256 public immutable unit;
    /// A young vault may pay this much in 24 hours even if it is more than a fifth. A thief could take as much.
    uint64 public immutable floor;

    /// All payouts together, and by wallet. Never reset.
    uint64 public paidTotal;
    mapping(address wallet => uint64) public paid;
    mapping(bytes32 id => IdState) public ids;
    /// All that left before exits, up to and including each hour.
    Checkpoints.Trace208 private leftByHour;

    /// The epoch of the last root that was not struck; 0 if there is none.
    uint64 public epoch;
    /// The highest epoch published, struck or not.
    uint64 public epochMax;
    /// When the notice was given and when exits opened; 0 if not.
    uint64 public calledAt;
    uint64 public openedAt;
    mapping(uint64 epoch => bytes32) public rootAt;
    mapping(bytes32 root => Root) public roots;
    mapping(uint64 height => uint64) private epochAt;

    /// Sums over the wallets that have proven their leaf.
    uint64 public claims;
    uint64 public provenSums;
    uint256 public exitedUnits;
    mapping(address wallet => Exit) public exits;

    event Paid(bytes32 indexed id, address indexed to, uint64 amount);
    event Voided(bytes32 indexed id);
    event Published(uint64 indexed epoch, bytes32 root, uint64 total, uint64 paidAt, uint64 takenAt);
    event Anchored(bytes32 indexed kind, bytes32 value);
    event Struck(uint64 indexed epoch, uint64 last);
    event ExitsCalled(uint64 epoch);
    event ExitsOpened(uint64 epoch);
    event Exited(address indexed wallet, uint64 claim, uint256 units);

    error IdUsed();
    error RootTooOld();
    error OverLimit();
    error WrongTransfer();
    error BadEpoch();
    error BadRoot();
    error BadTime();
    error BooksTooOld();
    error Shortage();
    error BadProof();

    /// @param keys_ Payer, publisher, guardian and owner.
    constructor(IERC20Metadata token_, address[4] memory keys_, uint64 dailyMax_, uint64 singleMax_, uint64 floor_) {
        // 1,000 USDT. When the vault owes 5,000, which is the most that one user can invest, a fifth is as much.
        require(floor_ <= 1_000_000_000, OverLimit());
        (token, unit, floor) = (token_, 10 ** (token_.decimals() - 6), floor_);
        (dailyMax, singleMax) = (dailyMax_, singleMax_);
        for (uint8 i = 0; i < keys_.length; i++) _setKey(Change(i), keys_[i]);
    }

    /// @notice Pays a withdrawal. Each id is paid at most once.
    function pay(bytes32 id, address to, uint64 micro) external only(Change.Payer) nonReentrant {
        require(micro <= singleMax, OverLimit());
        require(ids[id] == IdState.Unused, IdUsed());
        ids[id] = IdState.Paid;
        paid[to] += micro;
        paidTotal += micro;
        _leave(to, micro);
        emit Paid(id, to, micro);
    }

    /// @notice Uses up an id that will never be paid, so that the withdrawal can be refunded.
    function void(bytes32 id) external only(Change.Payer) {
        require(ids[id] == IdState.Unused, IdUsed());
        ids[id] = IdState.Voided;
        emit Voided(id);
    }

    /// @notice Publishes the root of all balances.
    /// @param total The sum of all leaves.
    /// @param paidAt `paidTotal` at the last block whose payouts the books include.
    /// @param takenAt That block's time.
    function publish(uint64 epoch_, bytes32 root, uint64 total, uint64 paidAt, uint64 takenAt)
        external
        only(Change.Publisher)
        whenNotPaused
        nonReentrant
    {
        require(epoch_ > epochMax && epoch_ - epochMax <= 1000, BadEpoch());
        require(root != 0 && roots[root].takenAt == 0, BadRoot());
        require(takenAt > _last().takenAt && takenAt <= block.timestamp, BadTime());
        require(block.timestamp - takenAt <= 24 hours, BadTime());
        // Payouts that the books do not include yet have left the vault, but are still in `total`. They must be recent.
        // Otherwise a publisher could hide a shortage by never advancing `paidAt`.
        require(paidAt <= paidTotal && paidTotal - paidAt <= leftInWindow(), BooksTooOld());
        require(held() + (paidTotal - paidAt) >= total, Shortage());
        uint64 height = _last().height + 1;
        (rootAt[epoch_], epochAt[height]) = (root, epoch_);
        roots[root] = Root(total, takenAt, uint64(block.timestamp), height);
        (epoch, epochMax, calledAt) = (epoch_, epoch_, 0);
        emit Published(epoch_, root, total, paidAt, takenAt);
    }

    /// @notice Records a value in public: a seed of the game, the head of the audit chain, the hash of a tree file.
    function anchor(bytes32 kind, bytes32 value) external only(Change.Publisher) {
        emit Anchored(kind, value);
    }

    /// @notice Takes back a root published at most 48 hours ago, and every later one.
    /// @dev Later ones too: otherwise a stolen publisher key could publish more wrong roots than can be struck in time.
    function strike(uint64 epoch_) external only(Change.Guardian) {
        Root storage root = roots[rootAt[epoch_]];
        require(root.height != 0 && root.height <= _last().height && epochAt[root.height] == epoch_, BadRoot());
        require(block.timestamp - root.publishedAt <= 48 hours, TooLate());
        epoch = epochAt[root.height - 1];
        emit Struck(epoch_, epoch);
    }

    /// @notice Stops payouts, publications and surplus. Exits still open if it lasts.
    function pause() external only(Change.Guardian) {
        _pause();
    }

    function unpause() external {
        require(msg.sender == keys[Change.Owner] || msg.sender == keys[Change.Guardian], NotAllowed());
        require(openedAt == 0, TooLate());
        _unpause();
    }

    /// @notice Gives notice after 6 days without a root. A second notice would start the 24 hours again.
    function callExits() external {
        require(epoch != 0 && block.timestamp - _last().takenAt >= 6 days, TooEarly());
        require(calledAt == 0, TooLate());
        calledAt = uint64(block.timestamp);
        emit ExitsCalled(epoch);
    }

    /// @notice Opens the exits 24 hours after the notice. A root published in between cancels the notice.
    /// @dev From now on payouts, publications and surplus are paused for good.
    function openExits() external {
        require(calledAt != 0 && block.timestamp - calledAt >= 24 hours, TooEarly());
        require(openedAt == 0, TooLate());
        openedAt = uint64(block.timestamp);
        if (!paused()) _pause();
        emit ExitsOpened(epoch);
    }

    /// @notice Pays the leaf's wallet its share. Call again later to collect the rest if the share has risen.
    /// @dev The first call also counts when nothing is due: it raises the share of all others.
    function exit(Leaf calldata leaf, Sibling[] calldata siblings) external nonReentrant returns (uint256 units) {
        require(openedAt != 0, TooEarly());
        require(leaf.wallet != address(0) && leaf.wallet != address(this), BadAddress());
        require(check(leaf, siblings), BadProof());
        Exit storage taken = exits[leaf.wallet];
        if (!taken.isProven) _prove(leaf, taken);
        units = _send(leaf.wallet, _dueUnits(taken));
        taken.collectedUnits += units;
        exitedUnits += units;
        emit Exited(leaf.wallet, taken.claim, units);
    }

    /// @notice After a year, and once every proven claim is paid in full, the owner may take the rest.
    function takeRest() external only(Change.Owner) nonReentrant {
        require(openedAt != 0 && _isYearOver() && exitedUnits >= claims * unit, TooEarly());
        _send(msg.sender, token.balanceOf(address(this)));
    }

    /// @notice Whether this leaf is in the last root.
    function check(Leaf calldata leaf, Sibling[] calldata siblings) public view returns (bool) {
        (bytes32 hash, uint256 sum) = VaultTree.root(leaf, siblings, epoch);
        return hash == rootAt[epoch] && sum == _last().total;
    }

    /// @notice What the vault holds, in whole micro-USDT.
    function held() public view returns (uint256) {
        return token.balanceOf(address(this)) / unit;
    }

    /// @notice Payouts and surplus of this hour and the 24 before it: between 24 and 25 hours, never less than 24.
    function leftInWindow() public view returns (uint256) {
        return leftByHour.latest() - leftByHour.upperLookupRecent(uint48(block.timestamp / 1 hours) - 25);
    }

    /// @notice The most that may leave in 24 hours at this moment: a fifth of the money, or the floor.
    function limit() public view returns (uint256) {
        uint256 fifth = Math.min(_last().total, held() + leftInWindow()) / 5;
        return Math.min(dailyMax, Math.max(fifth, floor));
    }

    /// Everything that leaves before exits passes here.
    function _leave(address to, uint64 micro) private whenNotPaused {
        require(to != address(0) && to != address(this) && to != address(token), BadAddress());
        require(block.timestamp - _last().takenAt <= 24 hours, RootTooOld());
        require(leftInWindow() + micro <= limit(), OverLimit());
        leftByHour.push(uint48(block.timestamp / 1 hours), leftByHour.latest() + micro);
        // A token that takes more than the amount would get around the limit.
        require(_send(to, micro * unit) == micro * unit, WrongTransfer());
    }

    /// What the vault holds above the last total. It counts towards the limit of payouts.
    function _takeSurplus(address to, uint64 micro) internal override nonReentrant {
        require(held() >= uint256(_last().total) + micro, Shortage());
        _leave(to, micro);
    }

    /// Returns what really left the vault, because a token may move another amount than asked for.
    function _send(address to, uint256 units) private returns (uint256) {
        uint256 before = token.balanceOf(address(this));
        token.safeTransfer(to, units);
        return before - token.balanceOf(address(this));
    }

    /// Payouts that the leaf does not include yet are subtracted from it. After a year a claim is at most what the
    /// claims before it leave, so that it cannot lower their share.
    function _prove(Leaf calldata leaf, Exit storage taken) private {
        uint256 sum = VaultTree.sumOf(leaf);
        uint256 claim = Math.saturatingSub(sum, Math.saturatingSub(paid[leaf.wallet], leaf.paid));
        if (_isYearOver()) claim = Math.min(claim, Math.saturatingSub(held() + exitedUnits / unit, claims));
        (taken.isProven, taken.claim) = (true, uint64(claim));
        claims += uint64(claim);
        provenSums += uint64(sum);
    }

    /// Share = pool ÷ (claims proven + sums not proven), at most 1. A proof replaces a sum by a claim, which is never
    /// larger, and exits do not change the pool. So the share can only rise.
    function _dueUnits(Exit storage taken) private view returns (uint256) {
        uint256 heldUnits = token.balanceOf(address(this));
        uint256 pool = heldUnits + exitedUnits;
        uint256 owed = claims + (_isYearOver() ? 0 : _last().total - provenSums);
        uint256 share = pool >= owed * unit ? taken.claim * unit : (taken.claim * pool) / owed;
        return Math.min(Math.saturatingSub(share, taken.collectedUnits), heldUnits);
    }

    function _isYearOver() private view returns (bool) {
        return block.timestamp - openedAt >= 365 days;
    }

    function _last() private view returns (Root storage) {
        return roots[rootAt[epoch]];
    }
}
