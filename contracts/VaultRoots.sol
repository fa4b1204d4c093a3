// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {VaultChanges} from "./VaultChanges.sol";
import {VaultTree} from "./VaultTree.sol";

/// @title The roots of all balances, and the limit that depends on them.
/// @dev Amounts are micro-USDT (6 decimals) unless a name says `units`. Units are the token's smallest amounts.
abstract contract VaultRoots is VaultChanges, ReentrancyGuard {
    using SafeERC20 for IERC20;

    /// `height` counts the valid roots up to this one, from 1.
    struct Root {
        bytes32 hash;
        uint64 total;
        uint64 takenAt;
        uint64 publishedAt;
        uint64 height;
    }

    uint256 public constant ROOT_AGE_MAX = 24 hours;
    uint256 public constant STRIKE_AGE_MAX = 48 hours;
    uint256 public constant EPOCH_STEP_MAX = 1000;
    /// At most this part of the money may leave in 24 hours.
    uint256 public constant PART = 5;
    /// The current hour and the 24 before it. This counts between 24 and 25 hours, never less than 24.
    uint256 public constant SLOTS = 25;

    IERC20 public immutable token;
    /// Token units in one micro-USDT.
    uint256 public immutable unit;
    /// A young product may pay this much in 24 hours even if it is more than a fifth.
    uint64 public immutable floor;

    bool public paused;
    uint64 public dailyMax;
    uint64 public singleMax;
    /// All payouts together. Never reset.
    uint64 public paidTotal;
    /// What left in each hour: the hour in the upper 64 bits, the amount in the lower. Two of them share a word of
    /// storage. The hour is stored, so old slots need not be cleared.
    uint128[SLOTS] private slots;

    /// The epoch of the last root that was not struck; 0 if there is none.
    uint64 public epoch;
    /// The highest epoch published, struck or not.
    uint64 public epochMax;
    /// When the notice was given and when exits opened; 0 if not.
    uint64 public calledAt;
    uint64 public openedAt;
    mapping(uint64 epoch => Root) public roots;
    /// The epoch at each height. A struck root loses its place to the next publication.
    mapping(uint64 height => uint64) public epochAt;
    mapping(bytes32 hash => bool) public isRootUsed;

    event Published(uint64 indexed epoch, bytes32 root, uint64 total, uint64 paidAt, uint64 takenAt);
    event Anchored(bytes32 indexed kind, bytes32 value);
    event Struck(uint64 indexed epoch, uint64 last);
    event PauseSet(bool paused);

    error BadDecimals();
    error IsPaused();
    error ExitsAreOpen();
    error RootTooOld();
    error OverLimit();
    error WrongTransfer();
    error BadEpoch();
    error BadRoot();
    error BadTime();
    error BooksTooOld();
    error Shortage();
    error NoRoot();

    /// Pausing and open exits both stop payouts, publications and surplus.
    modifier running() {
        require(openedAt == 0, ExitsAreOpen());
        require(!paused, IsPaused());
        _;
    }

    constructor(IERC20 token_, uint64 dailyMax_, uint64 singleMax_, uint64 floor_) {
        uint8 decimals = IERC20Metadata(address(token_)).decimals();
        require(decimals >= 6, BadDecimals());
        token = token_;
        unit = 10 ** (decimals - 6);
        (dailyMax, singleMax, floor) = (dailyMax_, singleMax_, floor_);
    }

    /// @notice Publishes the root of all balances.
    /// @param total The sum of all leaves.
    /// @param paidAt `paidTotal` at the last block whose payouts the books include.
    /// @param takenAt That block's time.
    function publish(uint64 epoch_, bytes32 root, uint64 total, uint64 paidAt, uint64 takenAt)
        external
        only(publisher)
        running
        nonReentrant
    {
        require(epoch_ > epochMax && epoch_ - epochMax <= EPOCH_STEP_MAX, BadEpoch());
        require(root != 0 && !isRootUsed[root], BadRoot());
        require(takenAt > roots[epoch].takenAt && takenAt <= block.timestamp, BadTime());
        require(block.timestamp - takenAt <= ROOT_AGE_MAX, BadTime());
        // Payouts that the books do not include yet have left the vault, but are still in `total`. They must be recent.
        // Otherwise a publisher could hide a shortage by never advancing `paidAt`.
        require(paidAt <= paidTotal && paidTotal - paidAt <= leftInWindow(), BooksTooOld());
        require(held() + (paidTotal - paidAt) >= total, Shortage());
        isRootUsed[root] = true;
        uint64 height = roots[epoch].height + 1;
        roots[epoch_] = Root(root, total, takenAt, uint64(block.timestamp), height);
        epochAt[height] = epoch_;
        (epoch, epochMax, calledAt) = (epoch_, epoch_, 0);
        emit Published(epoch_, root, total, paidAt, takenAt);
    }

    /// @notice Records a value in public: a seed of the game, the head of the audit chain, the hash of a tree file.
    function anchor(bytes32 kind, bytes32 value) external only(publisher) {
        emit Anchored(kind, value);
    }

    /// @notice Takes back a root published at most 48 hours ago, and every later one.
    /// @dev Later ones too: otherwise a stolen publisher key could publish more wrong roots than can be struck in time.
    function strike(uint64 epoch_) external only(guardian) {
        Root storage root = roots[epoch_];
        uint64 height = root.height;
        require(height != 0 && height <= roots[epoch].height && epochAt[height] == epoch_, NoRoot());
        require(block.timestamp - root.publishedAt <= STRIKE_AGE_MAX, TooLate());
        epoch = epochAt[height - 1];
        emit Struck(epoch_, epoch);
    }

    /// @notice Stops payouts, publications and surplus. Exits still open if it lasts.
    function pause() external only(guardian) {
        paused = true;
        emit PauseSet(true);
    }

    function unpause() external {
        require(msg.sender == owner || msg.sender == guardian, NotAllowed());
        paused = false;
        emit PauseSet(false);
    }

    /// @notice Whether this leaf is in the last root.
    function check(VaultTree.Leaf calldata leaf, VaultTree.Sibling[] calldata siblings)
        external
        view
        returns (bool isValid)
    {
        (isValid,) = _prove(leaf, siblings);
    }

    /// @notice What the vault holds, in whole micro-USDT.
    function held() public view returns (uint256) {
        return token.balanceOf(address(this)) / unit;
    }

    /// @notice Payouts and surplus of the last 24 to 25 hours.
    function leftInWindow() public view returns (uint256 left) {
        uint256 hour = block.timestamp / 1 hours;
        for (uint256 i = 0; i < SLOTS; i++) {
            uint256 slot = slots[i];
            if ((slot >> 64) + SLOTS > hour) left += uint64(slot);
        }
    }

    /// @notice The most that may leave in 24 hours at this moment.
    function limit() public view returns (uint256) {
        return _limit(leftInWindow());
    }

    function _limit(uint256 left) private view returns (uint256) {
        uint256 part = Math.min(roots[epoch].total, held() + left) / PART;
        return Math.min(dailyMax, Math.max(part, floor));
    }

    /// Everything that leaves before exits passes here.
    function _leave(address to, uint64 micro) internal {
        require(epoch != 0 && block.timestamp - roots[epoch].takenAt <= ROOT_AGE_MAX, RootTooOld());
        uint256 left = leftInWindow();
        require(left + micro <= _limit(left), OverLimit());
        uint128 hour = uint128(block.timestamp / 1 hours);
        uint128 slot = slots[hour % SLOTS];
        slots[hour % SLOTS] = (hour << 64) + (slot >> 64 == hour ? uint64(slot) : 0) + micro;
        uint256 before = token.balanceOf(address(this));
        token.safeTransfer(to, micro * unit);
        // A token that takes more than the amount would get around the limit.
        require(token.balanceOf(address(this)) + micro * unit == before, WrongTransfer());
    }

    function _prove(VaultTree.Leaf calldata leaf, VaultTree.Sibling[] calldata siblings)
        internal
        view
        returns (bool isValid, uint64 leafSum)
    {
        (bytes32 hash, uint256 sum, uint256 wideSum) = VaultTree.rootOf(leaf, siblings, epoch);
        return (hash == roots[epoch].hash && sum == roots[epoch].total, uint64(wideSum));
    }
}
