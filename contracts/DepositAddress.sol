// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// What this contract reads from the vault (Vault.sol).
interface IVault {
    function token() external view returns (IERC20);
    function epoch() external view returns (uint64);
    function rootAt(uint64 epoch) external view returns (bytes32);
    function roots(bytes32 root)
        external
        view
        returns (uint64 total, uint64 takenAt, uint64 publishedAt, uint64 height);
    function openedAt() external view returns (uint64);
}

/// @title A user's personal deposit address.
/// @notice Anybody can call `sweep`. USDT goes to the vault, or to the user's own wallet once the vault's exits are open.
/// Everything else that was sent here by mistake goes to the user's own wallet. There is no owner and no other call.
/// @dev Vault and wallet are part of the creation code, so the address commits to both before the contract exists.
contract DepositAddress {
    using SafeERC20 for IERC20;

    IVault public immutable vault;
    address public immutable wallet;

    error RootTooOld();
    error NotSent();

    constructor(IVault vault_, address wallet_) {
        (vault, wallet) = (vault_, wallet_);
    }

    /// @notice Sends all of this token to where it belongs. The zero address stands for the network's own coin.
    /// @dev The coin arrives only before this contract exists: there is no `receive`, so later transfers fail and the
    /// sender keeps it. A token that calls back can only sweep again, to the same place.
    function sweep(IERC20 token) external returns (uint256 amount) {
        if (address(token) == address(0)) {
            amount = address(this).balance;
            (bool isSent,) = wallet.call{value: amount}("");
            require(isSent, NotSent());
        } else {
            amount = token.balanceOf(address(this));
            token.safeTransfer(token == vault.token() ? _place() : wallet, amount);
        }
    }

    /// A root that is more than two hours old may be the last one, and exits pay only what the last root includes. So the
    /// money stays here until there is a new root, or until exits are open.
    function _place() private view returns (address) {
        if (vault.openedAt() != 0) return wallet;
        (, uint64 takenAt,,) = vault.roots(vault.rootAt(vault.epoch()));
        require(block.timestamp - takenAt <= 2 hours, RootTooOld());
        return address(vault);
    }
}
